import type { Trouble, Troubled } from "../api/trouble.ts";

/** What was seen is no longer so: look again. Nothing was sent. */
export class Overtaken extends Error implements Troubled {
  override readonly name = "Overtaken";
  readonly trouble: Trouble = "conflict";
}

/** A table that takes a step without what the step needs is wrong. */
export function must<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`a step was taken without ${what}`);
  return value;
}
