import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { constantFrom } from "fast-check";
import { tableTests } from "../../../test/fixture/table-kit.ts";
import { type Facts, ready, standing } from "../../../test/transfer/proposal-facts.ts";
import { seenOf, seenSample } from "../../../test/transfer/proposals.ts";
import { decide } from "../../runtime/table.ts";
import { proposed, type Step } from "./rules.ts";
import type { Proposed } from "./seen.ts";

const everything = await seenSample(20_000);

tableTests({ name: "proposed", table: proposed, states: constantFrom(...everything.map(([, seen]) => seen)) });

function never(says: string, step: Step, isWrong: (facts: Facts, seen: Proposed) => boolean): void {
  test(says, () => {
    const taken = everything.filter(([, seen]) => {
      const { plan } = decide(proposed, seen);
      return plan.do === "step" && plan.step === step;
    });
    ok(taken.length > 0, `"${step}" is taken somewhere`);
    deepEqual(taken.filter(([facts, seen]) => isWrong(facts, seen)).map(([facts]) => facts)[0], undefined);
  });
}

const isReserved = ({ policy }: Facts) => policy === "reserved" || policy === "reserved and expired";
const isConsent = (facts: Facts) => {
  const isApproved = facts.approval === "there" || facts.approval === "pinned";
  return facts.request.startsWith("open") && (isApproved || isReserved(facts));
};

never("nothing is locked without both consents", "lock-volume", (facts) => !isConsent(facts));
never("only the volume of the claim that was approved is locked", "lock-volume", (facts, { source, volume }) => {
  return (
    !(facts.source === "bound" || (facts.source === "young" && (facts.approval === "pinned" || isReserved(facts)))) ||
    source?.metadata.uid !== volume?.spec?.claimRef?.uid
  );
});
never("nothing is locked with anything in the way", "lock-volume", (facts) => {
  const isYoung = facts.toNamespace === "is younger than the approval" && isReserved(facts);
  const isInTheWay = facts.obstacle !== "none" || facts.pods || facts.attached || facts.volumeLeaves;
  return isInTheWay || (facts.toNamespace !== "stays" && !isYoung);
});
never("a use is reserved only where the approval does not exist, and by what covers it", "reserve-use", (facts) => {
  return facts.approval !== "none" || facts.policy !== "covers" || !facts.request.startsWith("open");
});
never("a use is reserved only when nothing else is missing", "reserve-use", (facts) => {
  const isInTheWay = !["none", "secret", "other class"].includes(facts.obstacle) || facts.pods || !facts.transfersAreOn;
  return isInTheWay || facts.journal.startsWith("ours") || facts.journal === "another's";
});
never("a use is reserved once", "reserve-use", (_, { standing: found }) => found?.use !== undefined);
never("nothing is locked by a policy before its use is reserved", "lock-volume", (_, { approval, standing: found }) => {
  return approval === undefined && found?.use === undefined;
});
never("a use is good for the claim it was reserved for", "lock-volume", (_, { standing: found, source }) => {
  return found?.use !== undefined && found.use.sourceUID !== source?.metadata.uid;
});
never("nothing is locked by a use that an undone transfer has not returned", "lock-volume", (facts) => {
  return facts.journal === "rolled back by policy" && isReserved(facts);
});
never("nothing is locked while another claim has the target's name, marked or not", "lock-volume", ({ target }) => {
  return target !== "none";
});
never("nothing is locked over another journal", "lock-volume", ({ journal }) => {
  return (
    journal !== "none" &&
    !journal.startsWith("rolled back") &&
    journal !== "another's, complete" &&
    journal !== "came back by policy"
  );
});
never("nothing is locked while transfers are off", "lock-volume", ({ transfersAreOn }) => !transfersAreOn);
never("an empty source goes only by consent and by wish", "remove-empty-source", (facts) => {
  return !isConsent(facts) || facts.whenUnbound !== "Move";
});
never(
  "an empty source goes only while it is empty, and only when its target is there",
  "remove-empty-source",
  (facts) => {
    return facts.source !== "empty" || !["moved", "moved and bound"].includes(facts.target);
  },
);
never("an empty source goes only when that is written down", "remove-empty-source", ({ request }) => {
  return request !== "open, move recorded";
});
never("an empty source goes only where nothing makes it a volume", "remove-empty-source", ({ bindingMode }) => {
  return bindingMode !== "WaitForFirstConsumer";
});
never(
  "an empty source goes only with nothing in the way",
  "remove-empty-source",
  ({ obstacle, pods, transfersAreOn }) => {
    return pods || !transfersAreOn || obstacle === "opted out" || obstacle === "class opted out";
  },
);
never("a target that has got a volume is not taken away", "remove-empty-target", ({ target }) => target !== "moved");
never("an approval is used only by a move that has happened", "consume-approval", (facts) => {
  return (
    facts.approval === "none" ||
    facts.approval.startsWith("used") ||
    facts.whenUnbound !== "Move" ||
    !facts.target.includes("moved") ||
    // What is there under the source's name is older: nothing has moved.
    (facts.target === "planted as if moved" && facts.source !== "none")
  );
});
never("only what has ended is removed", "remove-request", ({ request }) => request !== "complete long ago");

test("before it is approved, everything about the source says the same", () => {
  const covering = ["covers", "reserved", "reserved and expired", "reserved for the claim that has moved"];
  const unapproved = everything.filter(([facts]) => {
    return facts.request === "open" && facts.approval === "none" && !covering.includes(facts.policy);
  });
  // A target that was made for the very source, while it was approved, says nothing new when it goes.
  const open = unapproved.filter(([{ journal, target }]) => {
    return !journal.startsWith("ours") && journal !== "came back by policy" && target !== "moved";
  });
  const said = new Set(open.map(([, seen]) => JSON.stringify(decide(proposed, seen))));
  ok(open.length > 500);
  equal(said.size, 1, [...said].join("\n"));
});

const cases: readonly (readonly [says: string, facts: Partial<Facts>, row: string])[] = [
  ["locks when nothing is in the way", {}, "the volume is not locked"],
  ["waits for the approval", { approval: "none" }, "nobody has approved it"],
  [
    "an empty target is not taken away once its source goes",
    {
      approval: "none",
      whenUnbound: "Move",
      source: "empty, leaving",
      target: "moved",
      bindingMode: "WaitForFirstConsumer",
    },
    "nobody has approved it",
  ],
  [
    "takes an empty target away that is not wanted any more",
    { approval: "none", whenUnbound: "Move", source: "empty", target: "moved", bindingMode: "WaitForFirstConsumer" },
    "the empty target is not wanted any more",
  ],
  [
    "a target planted as if its source had moved uses nothing up",
    { whenUnbound: "Move", target: "planted as if moved" },
    "something is in the way",
  ],
  ["an approval that is being deleted is none", { approval: "leaving" }, "nobody has approved it"],
  ["an approval that was used for another request is none", { approval: "used by another" }, "nobody has approved it"],
  [
    "an approval that was used for this request is not used again",
    { approval: "used by us" },
    "the transfer has begun or ended",
  ],
  ["a re-created source needs a new approval", { source: "young" }, "something is in the way"],
  ["a pinned source may be young", { source: "young", approval: "pinned" }, "the volume is not locked"],
  ["another claim than the pinned one stays", { approval: "pinned to another" }, "something is in the way"],
  [
    "a claim that names a stranger's volume gives nothing away",
    { source: "names a stranger's volume" },
    "something is in the way",
  ],
  ["an empty claim waits", { source: "empty" }, "something is in the way"],
  ["takes a use of a policy that covers it", { ...standing }, "no use of the policy is reserved for it"],
  ["locks by a use that is reserved", { ...standing, policy: "reserved" }, "the volume is not locked"],
  [
    "a use that is reserved outlives the time of its policy",
    { ...standing, policy: "reserved and expired" },
    "the volume is not locked",
  ],
  ["a policy that is being deleted is none", { ...standing, policy: "reserved and leaving" }, "nobody has approved it"],
  ["a policy for others is none", { ...standing, policy: "covers others" }, "nobody has approved it"],
  ["a policy without a use left is none", { ...standing, policy: "exhausted" }, "nobody has approved it"],
  ["a policy whose time is over is none", { ...standing, policy: "expired" }, "nobody has approved it"],
  [
    "a request that had a use for another claim gets no second one",
    { ...standing, policy: "reserved for another claim" },
    "nobody has approved it",
  ],
  [
    "where the approval exists, a policy does not speak for it",
    { approval: "used by another", policy: "covers" },
    "nobody has approved it",
  ],
  [
    "a claim that is younger than the policy is covered",
    { ...standing, source: "young" },
    "no use of the policy is reserved for it",
  ],
  ["a claim that is not there is covered by nothing", { ...standing, source: "none" }, "nobody has approved it"],
  ["no use is taken while something is in the way", { ...standing, pods: true }, "something is in the way"],
  [
    "what was undone waits until its use is returned",
    { ...standing, policy: "reserved", journal: "rolled back by policy" },
    "something is in the way",
  ],
  [
    "what was undone takes another use when it begins again",
    { ...standing, journal: "rolled back by policy" },
    "no use of the policy is reserved for it",
  ],
  [
    "what came back by a policy has ended",
    { ...standing, journal: "came back by policy" },
    "the transfer has begun or ended",
  ],
  [
    "a use is taken before an empty claim moves",
    { ...standing, source: "empty", whenUnbound: "Move", bindingMode: "WaitForFirstConsumer" },
    "no use of the policy is reserved for it",
  ],
  [
    "an empty claim that has moved by a policy has ended",
    {
      ...standing,
      policy: "reserved for the claim that has moved",
      source: "none",
      target: "moved from another",
      whenUnbound: "Move",
    },
    "the transfer has begun or ended",
  ],
  [
    "an empty claim moves on wish",
    { source: "empty", whenUnbound: "Move", bindingMode: "WaitForFirstConsumer" },
    "the claim is empty and may move",
  ],
  [
    "a claim that is to be filled does not move",
    { source: "empty, filled from a snapshot", whenUnbound: "Move", bindingMode: "WaitForFirstConsumer" },
    "something is in the way",
  ],
  [
    "that an empty source goes is written down first",
    { source: "empty", target: "moved", whenUnbound: "Move", bindingMode: "WaitForFirstConsumer" },
    "nothing tells yet that the empty source goes",
  ],
  [
    "the empty source goes when the target is there, and it is written down",
    {
      request: "open, move recorded",
      source: "empty",
      target: "moved",
      whenUnbound: "Move",
      bindingMode: "WaitForFirstConsumer",
    },
    "the empty source is still there",
  ],
  [
    "what has moved stays moved, although the approval was withdrawn",
    { request: "open, move recorded", approval: "none", source: "none", target: "moved", whenUnbound: "Move" },
    "the empty claim moved, and then its approval was withdrawn",
  ],
  [
    "what nobody has written down has not moved, whatever the target says",
    { approval: "none", source: "none", target: "moved", whenUnbound: "Move" },
    "nobody has approved it",
  ],
  [
    "a planted target removes no source",
    { source: "empty", target: "marked", whenUnbound: "Move", bindingMode: "WaitForFirstConsumer" },
    "something is in the way",
  ],
  [
    "the target goes when the source got a volume",
    { source: "bound", target: "moved", whenUnbound: "Move" },
    "the empty source has got a volume after all",
  ],
  [
    "both got a volume, and it is told",
    { source: "bound", target: "moved and bound", whenUnbound: "Move" },
    "something is in the way",
  ],
  [
    "a namesake of the moved source stays",
    { source: "empty", target: "moved from another", whenUnbound: "Move", bindingMode: "WaitForFirstConsumer" },
    "the empty claim has moved",
  ],
  ["a planted target with our mark is another's claim", { target: "marked" }, "something is in the way"],
  ["a volume that went back may go again", { journal: "rolled back" }, "the volume is not locked"],
  ["a journal that cannot be read is left alone", { journal: "unreadable" }, "something is in the way"],
  ["what is under way is left to its own loop", { journal: "ours" }, "the transfer has begun or ended"],
  ["what has ended goes when its time is over", { request: "complete long ago" }, "its time after the end is over"],
];

for (const [says, facts, row] of cases)
  test(says, async () => equal(decide(proposed, await seenOf({ ...ready, ...facts })).row, row));
