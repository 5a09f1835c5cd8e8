/** The words of templates, and what they stand for in one run of one case. */
export type Words = Readonly<Record<string, string>>;

/** A value in which every text has these replaced, keys included. */
export function replaced<T>(value: T, replace: (text: string) => string): T {
  if (typeof value === "string") return replace(value) as T & string;
  if (Array.isArray(value)) return value.map((one: unknown) => replaced(one, replace)) as T & unknown[];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [replace(key), replaced(one, replace)])) as T &
    object;
}

export function filled<T>(template: T, words: Words): T {
  return replaced(template, replacing(Object.entries(words)));
}

/** Longer texts first: one name may be the beginning of another. */
export function replacing(pairs: Iterable<readonly [text: string, by: string]>): (text: string) => string {
  const longestFirst = [...pairs].filter(([text]) => text !== "").sort(([one], [other]) => other.length - one.length);
  return (text) => longestFirst.reduce((rest, [from, to]) => rest.replaceAll(from, to), text);
}
