import type { Json } from "./mask.ts";

/** One field that the two programs have made differently. */
export interface Difference {
  readonly case: string;
  readonly on: string;
  /** The way to the field, from the record down. */
  readonly where: string;
  /** What is there, as JSON; undefined when there is nothing. */
  readonly go: string | undefined;
  readonly ours: string | undefined;
}

/** Every field that is there on one side only, or is not the same on both. */
export function differencesOf(about: Pick<Difference, "case" | "on">, go: Json, ours: Json): readonly Difference[] {
  const [left, right] = [new Map(leavesOf(go)), new Map(leavesOf(ours))];
  const wheres = [...new Set([...left.keys(), ...right.keys()])];
  return wheres
    .filter((where) => left.get(where) !== right.get(where))
    .map((where) => ({ ...about, where, go: left.get(where), ours: right.get(where) }));
}

/** An empty list or object is a leaf too: it is not the same as none. */
function* leavesOf(value: Json, way: readonly string[] = []): Generator<readonly [where: string, value: string]> {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (members.length === 0) yield [way.join(" > "), typeof value === "string" ? value : JSON.stringify(value)];
  for (const [name, member] of members) yield* leavesOf(member, [...way, name]);
}
