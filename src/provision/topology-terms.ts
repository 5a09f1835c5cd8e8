import type { TopologySelectorTerm } from "../api/gen/core.ts";

/** One place in the topology of a cluster: what a node must be labelled to be in it. */
export type Segments = Readonly<Record<string, string>>;

/** By key, as everything that is compared, hashed or sent must be. */
export function entriesOf(segments: Segments): readonly (readonly [key: string, value: string])[] {
  return Object.entries(segments).toSorted(([one], [other]) => compareText(one, other));
}

/** The same text for the same place, and another one for any other: neither labels nor their values have `=` or `,`. */
export function textOf(segments: Segments): string {
  return entriesOf(segments)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

/** The order in which the vendor's drivers know their requirements: fewer keys first, then by keys and values. */
export function compareSegments(one: Segments, other: Segments): number {
  const [mine, theirs] = [entriesOf(one), entriesOf(other)];
  if (mine.length !== theirs.length) return mine.length - theirs.length;
  for (const [index, [key, value]] of mine.entries()) {
    const [otherKey = "", otherValue = ""] = theirs[index] ?? [];
    const order = compareText(key, otherKey) || compareText(value, otherValue);
    if (order !== 0) return order;
  }
  return 0;
}

/** Not by the reader's language: the order is part of what a driver is asked, and the same everywhere. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

export function inOrder(all: Iterable<Segments>): readonly Segments[] {
  const unique = new Map([...all].map((segments) => [textOf(segments), segments]));
  return [...unique.values()].toSorted(compareSegments);
}

/** Where somebody with these labels is; undefined unless all keys are there. */
export function segmentsOn(
  labels: Readonly<Record<string, string>> = {},
  keys: readonly string[],
): Segments | undefined {
  const found = keys.toSorted(compareText).map((key) => [key, Object.hasOwn(labels, key) ? labels[key] : undefined]);
  return found.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(found) as Segments);
}

/** Whether whoever is at the second place is at the first, which may say less. */
export function isWithin(wider: Segments, place: Segments): boolean {
  return Object.entries(wider).every(([key, value]) => place[key] === value);
}

/** Every place that the terms of a class allow: one of the values of each key. Terms that say nothing allow nothing. */
export function flattened(terms: readonly TopologySelectorTerm[]): readonly Segments[] {
  const places = terms.flatMap(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.reduce<readonly Segments[]>(
      (before, { key, values }) => values.flatMap((value) => before.map((place) => ({ ...place, [key]: value }))),
      [{}],
    ),
  );
  return inOrder(places.filter((place) => Object.keys(place).length > 0));
}

export function rotated(all: readonly Segments[], first: number): readonly Segments[] {
  return [...all.slice(first), ...all.slice(0, first)];
}

/**
 * Spreads claims that have no node: those of a StatefulSet, `<claim>-<set>-<ordinal>`, one after another, and all claims
 * of one of its pods to the same place, because the pod could not run otherwise. The sum is what the vendor's
 * provisioner reckons, so that a swap in the midst of a StatefulSet goes on where it was.
 */
export function spreadOf(claimName: string): number {
  const [, base = claimName, digits = ""] = /^(.*)-(\d+)$/s.exec(claimName) ?? [];
  const ordinal = Number(digits);
  if (digits === "" || ordinal > mostOrdinal) return hashOf(claimName);
  return (hashOf(base.slice(base.lastIndexOf("-") + 1)) + ordinal) >>> 0;
}

const mostOrdinal = 2 ** 32 - 1;

/** FNV-1 in 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash, 0x01000193) ^ byte;
  return hash >>> 0;
}
