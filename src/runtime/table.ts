import type { Reason } from "../api/reasons.ts";

/** What to do about what is seen. Waiting is not failing, and neither is refusing: each has a reason people are told. */
export type Plan<Step extends string> =
  | { readonly do: "rest" }
  | ({ readonly do: "wait"; readonly why: Reason } & Waiting)
  | Refusal
  | { readonly do: "step"; readonly step: Step };

export interface Refusal {
  readonly do: "refuse";
  readonly why: Reason;
  readonly detail?: string;
}

export interface Waiting {
  readonly detail?: string;
  /** Look again by then, although nothing may have told us of a change. */
  readonly recheckSeconds?: number;
  /** A wait that we cause ourselves, and that ends in a moment: people are told only if it lasts longer than this. */
  readonly quietSeconds?: number;
}

/** A sentence, when it is true, and what follows. */
export type Rule<Seen, Step extends string> = readonly [
  says: string,
  holds: (seen: Seen) => boolean,
  then: Plan<Step> | ((seen: Seen) => Plan<Step>),
];

/** The first row that holds wins. The last row says that things are settled; it is not for whatever is left over. */
export type Table<Seen, Step extends string> = readonly Rule<Seen, Step>[];

export interface Decision<Step extends string> {
  /** The sentence that holds. */
  readonly row: string;
  readonly plan: Plan<Step>;
}

export const rest: Plan<never> = { do: "rest" };

export function step<const S extends string>(name: S): Plan<S> {
  return { do: "step", step: name };
}

export function wait(why: Reason, more: Waiting = {}): Plan<never> {
  return { do: "wait", why, ...more };
}

export function refuse(why: Reason, detail?: string): Refusal {
  return { do: "refuse", why, ...(detail === undefined ? {} : { detail }) };
}

/** A state that no row names: nothing is done to it, because nobody has thought about it. */
export class Unforeseen extends Error {
  override readonly name = "Unforeseen";
}

export function decide<Seen, Step extends string>(table: Table<Seen, Step>, seen: Seen): Decision<Step> {
  const rule = table.find((one) => one[1](seen));
  if (rule === undefined) throw new Unforeseen("no row of the table holds for what is seen");
  const [row, , then] = rule;
  return { row, plan: typeof then === "function" ? then(seen) : then };
}
