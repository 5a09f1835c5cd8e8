export type Fields = Readonly<Record<string, unknown>>;

const redacted = "[redacted]";
const secretNames = /token|passw|secret|authorization|credential|cookie|private-?_?key|api-?_?key|access-?_?key/i;
/** As they stand in headers and URLs, wherever a text quotes them. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/\b(authorization["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;]+/gi, `$1${redacted}`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/\/\/[^\s/:@]*:[^\s/@]+@/g, `//${redacted}@`],
];
/** Whether any of these can be in a text: most have none, and one look is cheaper than three. */
const mayBeSecret = /authorization|bearer|basic|\/\//i;
const deepest = 6;
const longestText = 8192;

/** Fields that may be written down: no secrets, nothing endless, nothing JSON cannot say. */
export function harmless(fields: Fields): Fields {
  return harmlessObject(fields, new Set());
}

export function harmlessText(text: string): string {
  let safe = text;
  if (mayBeSecret.test(text)) for (const [pattern, instead] of secretTexts) safe = safe.replaceAll(pattern, instead);
  return safe.length > longestText ? `${safe.slice(0, longestText)}… (${safe.length} characters)` : safe;
}

function harmlessObject(object: object, above: ReadonlySet<object>): Record<string, unknown> {
  const within = new Set(above).add(object);
  const safe: [name: string, value: unknown][] = [];
  for (const name of Object.keys(object)) {
    const value = memberOf(object, name);
    if (value === undefined || typeof value === "function") continue;
    safe.push([name, secretNames.test(name) ? redacted : harmlessValue(value, within)]);
  }
  return Object.fromEntries(safe);
}

/** What somebody gives us to log may be anything, a getter that throws too. */
function memberOf(object: object, name: string): unknown {
  try {
    return (object as Fields)[name];
  } catch {
    return "[unreadable]";
  }
}

function harmlessValue(value: unknown, above: ReadonlySet<object>): unknown {
  if (typeof value === "string") return harmlessText(value);
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (above.has(value) || above.size > deepest) return "[…]";
  return harmlessContent(value, above);
}

function harmlessContent(value: object, above: ReadonlySet<object>): unknown {
  if (value instanceof Error) return harmlessText(`${value.name}: ${value.message}`);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[no date]" : value.toISOString();
  if (value instanceof URL) return harmlessText(value.href);
  // Bytes are data of somebody, or keys; neither is for the log.
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const list = listIn(value);
  if (list !== undefined) return list.map((member) => harmlessValue(member, new Set(above).add(value)));
  return harmlessObject(value instanceof Map ? (Object.fromEntries(value) as object) : value, above);
}

function listIn(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[];
  return value instanceof Set ? [...(value as ReadonlySet<unknown>)] : undefined;
}
