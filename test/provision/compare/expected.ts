import type { StationKind } from "./case.ts";
import type { Difference } from "./compare.ts";

/**
 * A difference that is meant, in cases, fields and values by pattern: `*` stands for any text. A value that is left out means that
 * there is nothing on that side.
 */
export interface Expected {
  readonly cases: readonly string[];
  /** All stations of these cases, unless it says which. */
  readonly on?: readonly StationKind[];
  readonly where: string;
  readonly go?: string;
  readonly ours?: string;
  /** Why it is right that ours does something else. */
  readonly because: string;
}

export interface Judged {
  readonly unlisted: readonly Difference[];
  /** Meant, and not seen: the list says something about ours that is not so. */
  readonly missing: readonly Expected[];
}

export function judged(found: readonly Difference[], expected: readonly Expected[]): Judged {
  return {
    unlisted: found.filter((difference) => !expected.some((one) => covers(one, difference))),
    missing: expected.filter((one) => !found.some((difference) => covers(one, difference))),
  };
}

export function covers({ cases, on, where, go, ours }: Expected, difference: Difference): boolean {
  return (
    cases.some((pattern) => fits(pattern, difference.case)) &&
    (on === undefined || on.some((kind) => kind === difference.on)) &&
    fits(where, difference.where) &&
    fits(go, difference.go) &&
    fits(ours, difference.ours)
  );
}

function fits(pattern: string | undefined, text: string | undefined): boolean {
  if (pattern === undefined || text === undefined) return pattern === text;
  const parts = pattern.split("*").map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(text);
}

export function inWords({ case: says, on, where, go, ours }: Difference): string {
  return `${says} (${on})\n  ${where}\n    go:   ${go ?? "nothing"}\n    ours: ${ours ?? "nothing"}`;
}
