const suffixes: Readonly<Record<string, bigint>> = {
  "": 1n,
  k: 10n ** 3n,
  M: 10n ** 6n,
  G: 10n ** 9n,
  T: 10n ** 12n,
  P: 10n ** 15n,
  E: 10n ** 18n,
  Ki: 2n ** 10n,
  Mi: 2n ** 20n,
  Gi: 2n ** 30n,
  Ti: 2n ** 40n,
  Pi: 2n ** 50n,
  Ei: 2n ** 60n,
};

const thousand = 1000n;

/** The bytes that a quantity means, in thousandths, because "1.5Gi" and "100m" are quantities too; undefined when it is none. */
export function thousandthsOf(quantity: string | number | undefined): bigint | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(m|[kMGTPE]i?|Ki|e[+-]?\d+|E[+-]?\d+)?$/.exec(String(quantity ?? ""));
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = "", suffix = ""] = match;
  if (whole === "" && fraction === "") return undefined;
  const scale = scaleOf(suffix);
  if (scale === undefined) return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const value = (digits * scale) / 10n ** BigInt(fraction.length);
  return sign === "-" ? -value : value;
}

function scaleOf(suffix: string): bigint | undefined {
  if (suffix === "m") return 1n;
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1];
  if (exponent === undefined) return suffixes[suffix] === undefined ? undefined : suffixes[suffix] * thousand;
  const power = Number(exponent);
  return power < -3 || power > 30 ? undefined : 10n ** BigInt(power + 3);
}

/** Whether the first is really more than the second; what cannot be read is not more. */
export function sizeIsOver(wished: string | number | undefined, given: string | number | undefined): boolean {
  const [a, b] = [thousandthsOf(wished), thousandthsOf(given)];
  return a !== undefined && b !== undefined && a > b;
}

/** However they are written. */
export function isSameSize(one: string | number | undefined, other: string | number | undefined): boolean {
  return thousandthsOf(one) === thousandthsOf(other);
}
