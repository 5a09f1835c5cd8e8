import { constantFrom, record, sample } from "fast-check";
import { often } from "./often.ts";

/** What may be there when a request is looked at. */
export interface Facts {
  readonly request: "open" | "open, move recorded" | "leaving" | "complete" | "complete long ago";
  readonly approval: "none" | "there" | "leaving" | "used by us" | "used by another" | "pinned" | "pinned to another";
  readonly policy:
    | "none"
    | "covers"
    | "covers others"
    | "leaving"
    | "exhausted"
    | "expired"
    | "reserved"
    | "reserved and expired"
    | "reserved and leaving"
    | "reserved for another claim"
    | "reserved for the claim that has moved";
  readonly source:
    | "bound"
    | "empty"
    | "empty, leaving"
    | "empty, filled from a snapshot"
    | "none"
    | "young"
    | "leaving"
    | "names a stranger's volume";
  readonly obstacle:
    | "none"
    | "opted out"
    | "class opted out"
    | "snapshot"
    | "clone"
    | "growing"
    | "other class"
    | "secret";
  readonly journal:
    | "none"
    | "ours"
    | "ours by policy"
    | "rolled back"
    | "rolled back by policy"
    | "rolled back in the future"
    | "came back by policy"
    | "another's"
    | "another's, complete"
    | "unreadable"
    | "newer";
  readonly target:
    | "none"
    | "stranger"
    | "marked"
    | "moved"
    | "moved and bound"
    | "moved from another"
    | "planted as if moved";
  readonly bindingMode: "WaitForFirstConsumer" | "Immediate";
  readonly whenUnbound: "Wait" | "Move";
  readonly whenInUse: "Wait" | "Fail";
  readonly pods: boolean;
  readonly attached: boolean;
  readonly volumeLeaves: boolean;
  readonly toNamespace: "stays" | "leaves" | "is younger than the approval";
  readonly transfersAreOn: boolean;
}

/** The same where nobody has approved this very request, and a policy covers it. */
export const standing = { approval: "none", policy: "covers" } as const;

/** Asked and approved, and nothing in the way. */
export const ready: Facts = {
  request: "open",
  approval: "there",
  policy: "none",
  source: "bound",
  obstacle: "none",
  journal: "none",
  target: "none",
  bindingMode: "Immediate",
  whenUnbound: "Wait",
  whenInUse: "Wait",
  pods: false,
  attached: false,
  volumeLeaves: false,
  toNamespace: "stays",
  transfersAreOn: true,
};

const anything = record<Facts>({
  request: often<Facts["request"]>("open", "open, move recorded", "leaving", "complete", "complete long ago"),
  policy: constantFrom<Facts["policy"]>(
    "none",
    "none",
    "none",
    "covers",
    "covers",
    "covers others",
    "leaving",
    "exhausted",
    "expired",
    "reserved",
    "reserved",
    "reserved and expired",
    "reserved and leaving",
    "reserved for another claim",
    "reserved for the claim that has moved",
  ),
  approval: often<Facts["approval"]>(
    "there",
    "none",
    "none",
    "none",
    "none",
    "leaving",
    "used by us",
    "used by another",
    "pinned",
    "pinned to another",
  ),
  source: constantFrom<Facts["source"]>(
    "bound",
    "bound",
    "bound",
    "empty",
    "empty",
    "empty, leaving",
    "empty, filled from a snapshot",
    "none",
    "young",
    "leaving",
    "names a stranger's volume",
  ),
  obstacle: often<Facts["obstacle"]>(
    "none",
    "opted out",
    "class opted out",
    "snapshot",
    "clone",
    "growing",
    "other class",
    "secret",
  ),
  journal: often<Facts["journal"]>(
    "none",
    "ours",
    "ours by policy",
    "rolled back",
    "rolled back by policy",
    "came back by policy",
    "another's",
    "another's, complete",
    "unreadable",
    "newer",
  ),
  target: constantFrom<Facts["target"]>(
    "none",
    "none",
    "none",
    "stranger",
    "marked",
    "moved",
    "moved",
    "moved and bound",
    "moved from another",
    "planted as if moved",
  ),
  bindingMode: constantFrom("WaitForFirstConsumer", "WaitForFirstConsumer", "Immediate"),
  whenUnbound: constantFrom("Wait", "Move"),
  whenInUse: often<Facts["whenInUse"]>("Wait", "Fail"),
  pods: often(false, true),
  attached: often(false, true),
  volumeLeaves: often(false, true),
  toNamespace: often<Facts["toNamespace"]>("stays", "leaves", "is younger than the approval"),
  transfersAreOn: often(true, false),
});

export function factsSample(count: number): readonly Facts[] {
  return sample(anything, { numRuns: count, seed: 13 });
}
