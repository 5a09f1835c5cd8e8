import type { Trouble } from "../api/trouble.ts";
import type { Hand } from "./hand.ts";
import type { Report } from "./report.ts";
import type { Decision, Refusal } from "./table.ts";

/** What the loop adds to what is seen: the time, and the driver's last reply to a step of this key. */
export interface Look {
  readonly now: Date;
  /** Lost at a restart: every table must be right without it, because the identical call is repeated. */
  readonly reply: unknown;
}

/** A feature: it looks, decides and acts. The loop around it is the same for all. */
export interface Reconciler<Seen, Step extends string> {
  readonly name: string;
  /** Reads, never writes. Undefined when there is nothing under this key any more. */
  observe(key: string, look: Look): Promise<Seen | undefined>;
  /** Pure. */
  decide(seen: Seen): Decision<Step>;
  /** One effect. What it answers is seen at the next look as `reply`. */
  act(step: Step, seen: Seen, hand: Hand): Promise<unknown>;
  /** Pure: everything people are to be told, every time; the loop writes what is new. */
  report(seen: Seen, decision: Decision<Step>): readonly Report[];
  /** What a step that the server or the driver refused means to people; without it, the server's own words are told. */
  refusal?(step: Step, seen: Seen, problem: Error): Refusal;
  /** The operation that this belongs to, for every line of the log. */
  operationOf?(seen: Seen): string | undefined;
}

/** What the loop does about each trouble; nobody else retries anything. */
export interface Answer {
  readonly firstMilliseconds: number;
  readonly longestMilliseconds: number;
  /** An ordinary thing that is not worth a line in the log. */
  readonly silent: boolean;
}

export const answers: Readonly<Record<Trouble, Answer>> = {
  conflict: { firstMilliseconds: 5, longestMilliseconds: 1000, silent: true },
  transient: { firstMilliseconds: 100, longestMilliseconds: 30_000, silent: false },
  "in-doubt": { firstMilliseconds: 50, longestMilliseconds: 30_000, silent: false },
  refused: { firstMilliseconds: 1000, longestMilliseconds: 300_000, silent: false },
  bug: { firstMilliseconds: 1000, longestMilliseconds: 300_000, silent: false },
};
