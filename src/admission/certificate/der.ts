/** As much of DER as a certificate needs: every value is a tag, a length and its content. */
export const sequence = (...parts: readonly Buffer[]): Buffer => value(0x30, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => value(0x31, ...parts);
export const octets = (...parts: readonly Buffer[]): Buffer => value(0x04, ...parts);
/** All its bits are used. */
export const bits = (content: Buffer): Buffer => value(0x03, Buffer.of(0), content);
export const yes: Buffer = value(0x01, Buffer.of(0xff));
export const text = (words: string): Buffer => value(0x0c, Buffer.from(words));

/** A number of the format itself: `[0] { … }`. */
export const tagged = (number: number, ...parts: readonly Buffer[]): Buffer => value(0xa0 | number, ...parts);
/** The same around plain bytes, as in lists of names. */
export const taggedBytes = (number: number, content: Buffer): Buffer => value(0x80 | number, content);

/** A number that is not negative. A first bit of 1 would make it so, and leading zeros are not allowed. */
export function integer(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const short = start < 0 ? Buffer.of(0) : bytes.subarray(start);
  return value(0x02, ...((short[0] ?? 0) < 0x80 ? [short] : [Buffer.of(0), short]));
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return value(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(sevenBits)));
}

/** Seven bits a byte, and a first bit of 1 on all but the last. */
function sevenBits(number: number): readonly number[] {
  const bytes = [number & 0x7f];
  for (let left = number >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** The years before 2050 have two digits and the later ones four: the format demands it. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return date.getUTCFullYear() < 2050 ? value(0x17, Buffer.from(digits.slice(2))) : value(0x18, Buffer.from(digits));
}

function value(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag, ...lengthOf(content.length)), content]);
}

/** In as few bytes as possible: Go refuses a longer form. */
function lengthOf(bytes: number): readonly number[] {
  if (bytes < 0x80) return [bytes];
  return bytes < 0x100 ? [0x81, bytes] : [0x82, bytes >> 8, bytes & 0xff];
}
