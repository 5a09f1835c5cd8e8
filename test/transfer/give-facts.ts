import { boolean, constantFrom, record, sample } from "fast-check";
import type { Outcome } from "../../src/api/transfer/journal.ts";

/** What may be there when a give is looked at, before its volume is locked and afterwards. */
export interface Facts {
  readonly journal: "none" | "open" | "a request's" | "newer" | Outcome;
  readonly turnedBack: boolean;
  readonly source:
    | "gives"
    | "gives to another"
    | "keeps"
    | "unclear"
    | "gives, leaving"
    | "keeps, leaving"
    | "none"
    | "taken back";
  readonly isHeld: boolean;
  readonly sourceIs: "bound" | "lost" | "opted out";
  readonly pointsAt: "source" | "target" | "returned";
  readonly policy: "Retain" | "Delete";
  readonly target:
    | "none"
    | "silent"
    | "accepts"
    | "accepts, held"
    | "accepts, named"
    | "too small"
    | "bound elsewhere"
    | "leaving";
  readonly mark: "none" | "pending" | "complete";
  readonly claimPhase: "Bound" | "Pending";
  readonly namespaces: "both" | "the giver's" | "the taker's" | "none";
  readonly attached: boolean;
  /** Two more of the same giver are at the binder. */
  readonly crowded: boolean;
  readonly tooMany: boolean;
  /** The volume of an earlier claim of the source's name is given, too. */
  readonly namesakeWaits: boolean;
  readonly transfersAreOn: boolean;
  readonly kicked: "never" | "just now";
}

export const given: Facts = {
  journal: "open",
  turnedBack: false,
  source: "gives",
  isHeld: false,
  sourceIs: "bound",
  pointsAt: "source",
  policy: "Retain",
  target: "accepts, held",
  mark: "pending",
  claimPhase: "Bound",
  namespaces: "both",
  attached: false,
  crowded: false,
  tooMany: false,
  namesakeWaits: false,
  transfersAreOn: true,
  kicked: "never",
};

const anything = record<Facts>({
  journal: constantFrom<Facts["journal"]>(
    "none",
    "open",
    "open",
    "open",
    "a request's",
    "newer",
    "complete",
    "rolled-back",
    "orphaned",
  ),
  turnedBack: boolean(),
  source: constantFrom<Facts["source"]>(
    "gives",
    "gives",
    "gives to another",
    "keeps",
    "unclear",
    "gives, leaving",
    "keeps, leaving",
    "none",
    "none",
    "taken back",
  ),
  isHeld: boolean(),
  sourceIs: constantFrom("bound", "bound", "bound", "lost", "opted out"),
  pointsAt: constantFrom("source", "source", "target", "returned"),
  policy: constantFrom("Retain", "Retain", "Delete"),
  target: constantFrom<Facts["target"]>(
    "none",
    "silent",
    "accepts",
    "accepts, held",
    "accepts, held",
    "accepts, named",
    "too small",
    "bound elsewhere",
    "leaving",
  ),
  mark: constantFrom("none", "pending", "pending", "complete"),
  claimPhase: constantFrom("Bound", "Pending"),
  namespaces: constantFrom("both", "both", "both", "the giver's", "the taker's", "none"),
  attached: constantFrom(false, false, true),
  crowded: constantFrom(false, false, true),
  tooMany: constantFrom(false, false, true),
  namesakeWaits: constantFrom(false, false, true),
  transfersAreOn: constantFrom(true, true, false),
  kicked: constantFrom("never", "just now"),
});

export function factsSample(count: number): readonly Facts[] {
  return sample(anything, { numRuns: count, seed: 17 });
}
