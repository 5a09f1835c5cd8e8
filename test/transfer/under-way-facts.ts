import { boolean, constantFrom, record, sample } from "fast-check";
import type { Outcome } from "../../src/api/transfer/journal.ts";
import { often } from "./often.ts";

/** What may be there when a transfer under way is looked at. Caches lag, so every combination may be seen. */
export interface Facts {
  readonly outcome: Outcome | undefined;
  /** The volume was pointed at the target before: its uid stands in the journal. */
  readonly wasPointed: boolean;
  readonly targetLast: boolean;
  readonly pointsAt: "source" | "target" | "returned" | "stranger";
  readonly phase: "Bound" | "Released";
  readonly policy: "Retain" | "Delete";
  readonly volumeLeaves: boolean;
  readonly source:
    | "none"
    | "source"
    | "source leaving"
    | "stranger"
    | "returned"
    | "returned leaving"
    | "returned grown";
  readonly target: "none" | "stranger" | "planted" | "again" | "target" | "target leaving" | "target grown";
  readonly claimPhase: "Bound" | "Pending";
  readonly request: "none" | "there" | "leaving" | "another";
  readonly approval: "none" | "there" | "leaving" | "another" | "used";
  /** By which it began instead. */
  readonly standing: "none" | "there" | "gone" | "leaving" | "another" | "without the use" | "with a later use";
  readonly fromNamespace: "stays" | "leaves" | "is gone" | "is another";
  readonly toNamespace: "stays" | "leaves" | "is gone" | "is another";
  readonly pods: boolean;
  readonly attached: boolean;
  readonly kicked: "never" | "just now" | "long ago";
  /** The source carries the mark of a way back: of this journal, or of what it was before it was renewed. */
  readonly turnedBack: "never" | "now" | "before";
  /** Since the lock. */
  readonly sourceHas: "stayed" | "grown" | "modification" | "opted out";
}

/** All is well, right after the lock. */
export const locked: Facts = {
  outcome: undefined,
  wasPointed: false,
  targetLast: false,
  pointsAt: "source",
  phase: "Bound",
  policy: "Retain",
  volumeLeaves: false,
  source: "source",
  target: "none",
  claimPhase: "Bound",
  request: "there",
  approval: "there",
  standing: "none",
  fromNamespace: "stays",
  toNamespace: "stays",
  pods: false,
  attached: false,
  kicked: "never",
  turnedBack: "never",
  sourceHas: "stayed",
};

const anything = record<Facts>({
  outcome: often<Outcome | undefined>(undefined, "complete", "rolled-back", "orphaned"),
  wasPointed: boolean(),
  targetLast: often(false, true),
  pointsAt: constantFrom("source", "source", "target", "target", "returned", "stranger"),
  phase: often("Bound", "Released"),
  policy: often("Retain", "Delete"),
  volumeLeaves: often(false, true),
  source: constantFrom<Facts["source"]>(
    "none",
    "none",
    "none",
    "source",
    "source",
    "source",
    "source leaving",
    "stranger",
    "returned",
    "returned",
    "returned leaving",
    "returned grown",
  ),
  target: constantFrom<Facts["target"]>(
    "none",
    "none",
    "stranger",
    "planted",
    "again",
    "target",
    "target",
    "target",
    "target leaving",
    "target grown",
  ),
  claimPhase: boolean().map((isBound) => (isBound ? "Bound" : "Pending")),
  request: often<Facts["request"]>("there", "none", "leaving", "another"),
  approval: often<Facts["approval"]>("there", "none", "leaving", "another", "used"),
  standing: often<Facts["standing"]>(
    "none",
    "there",
    "there",
    "gone",
    "leaving",
    "another",
    "without the use",
    "with a later use",
  ),
  fromNamespace: often<Facts["fromNamespace"]>("stays", "leaves", "is gone", "is another"),
  toNamespace: often<Facts["toNamespace"]>("stays", "leaves", "is gone", "is another"),
  pods: often(false, true),
  attached: often(false, true),
  kicked: constantFrom("never", "just now", "long ago"),
  turnedBack: constantFrom("never", "now", "before"),
  sourceHas: often<Facts["sourceHas"]>("stayed", "stayed", "grown", "modification", "opted out"),
});

export function factsSample(count: number): readonly Facts[] {
  return sample(anything, { numRuns: count, seed: 11 });
}
