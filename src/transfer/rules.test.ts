import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { constantFrom } from "fast-check";
import { tableTests } from "../../test/fixture/table-kit.ts";
import { seenOf, seenSample } from "../../test/transfer/under-way.ts";
import { type Facts, locked } from "../../test/transfer/under-way-facts.ts";
import { decide } from "../runtime/table.ts";
import { giving, type Step, tableFor, taking, undoing } from "./rules.ts";
import type { ClaimSeen, UnderWay } from "./seen.ts";

const everything = await seenSample(20_000);
const tables = { giving, taking, undoing };

for (const [name, table] of Object.entries(tables)) {
  const states = everything.map(([, seen]) => seen).filter((seen) => tableFor(seen) === table);
  tableTests({ name, table, states: constantFrom(...states) });
}

const decided = (seen: UnderWay) => decide(tableFor(seen), seen);
const isHere = (end: ClaimSeen) => end.is === "there" && !end.isLeaving;

/** Everything in which the table takes this step, with what must be true of it. */
function never(says: string, step: Step, isWrong: (seen: UnderWay, facts: Facts) => boolean): void {
  test(says, () => {
    const taken = everything.filter(([, seen]) => {
      const { plan } = decided(seen);
      return plan.do === "step" && plan.step === step;
    });
    ok(taken.length > 0, `"${step}" is taken somewhere`);
    deepEqual(taken.filter(([facts, seen]) => isWrong(seen, facts)).map(([facts]) => facts)[0], undefined);
  });
}

const hasConsents = ({ request, approval, standing }: Facts) =>
  request === "there" && (standing === "none" ? approval === "there" : standing === "there");

test("nothing is done to a volume whose transfer has ended, whatever is seen", () => {
  const over = everything.filter(([{ outcome }]) => outcome !== undefined);
  ok(over.length > 1000);
  const done = over.map(([, seen]) => decided(seen).plan).filter((plan) => plan.do !== "rest");
  deepEqual(new Set(done.map((plan) => plan.do === "step" && plan.step)), new Set(["remove-late-target"]));
});

never("only what came too late is removed after the end", "remove-late-target", (_, { outcome, target, pointsAt }) => {
  const isOurs = target === "target" || target === "again";
  return outcome !== "rolled-back" || !isOurs || (target === "target" && pointsAt === "target");
});

never("the source is given up only behind a lock", "fence-source", ({ volume }) => {
  return volume.spec?.persistentVolumeReclaimPolicy !== "Retain";
});
never("the source is given up only when the target is there, or comes last", "fence-source", ({ target, journal }) => {
  return !isHere(target) && journal.targetLast !== true;
});
never("the source is given up only with both consents", "fence-source", (_, facts) => !hasConsents(facts));
never("only the source itself is given up", "fence-source", ({ source, journal }) => {
  return !(source.is === "there" && source.claim.metadata.uid === journal.source.uid);
});
never("a source is not given up for a volume that is not its own, or that goes", "fence-source", (_, facts) => {
  return facts.pointsAt !== "source" || facts.phase !== "Bound" || facts.volumeLeaves;
});
never("a source is not given up while an older word could put the policy back", "fence-source", (_, facts) => {
  return facts.turnedBack === "now";
});
never("the policy is not put back while an older word could give the source up", "restore-volume", (_, facts) => {
  return facts.source === "source" && facts.turnedBack !== "now";
});
never("a source that has changed since is not given up", "fence-source", (_, { sourceHas }) => sourceHas !== "stayed");
never("a target is not taken away for a claim that only looks like one of ours", "remove-target", (_, facts) => {
  return facts.source.startsWith("returned") && facts.pointsAt !== "returned" && facts.toNamespace === "stays";
});
never("the volume is pointed at a claim of ours only", "hand-over", ({ target, journal }, facts) => {
  const isOurs = facts.target === "target" || facts.target === "target grown" || facts.target === "again";
  return target.is !== "there" || !isOurs || (journal.target.uid !== undefined && facts.target === "again");
});
never("the volume is pointed at the target only when the source is gone", "hand-over", ({ source }) => {
  return source.is === "there";
});
never("the volume is handed over only behind a lock, and detached", "hand-over", (_, facts) => {
  return facts.policy !== "Retain" || facts.attached;
});
never("nothing is taken from a target that is bound to it", "point-back", (_, facts) => {
  const isBound = facts.pointsAt === "target" && facts.phase === "Bound" && facts.claimPhase === "Bound";
  return isBound && (facts.target === "target" || facts.target === "target grown");
});
never("the volume goes back to a claim of ours only", "point-back", (_, { source }) => {
  return source !== "returned" && source !== "returned grown";
});
never("the volume goes back only behind a lock", "point-back", (_, { policy }) => policy !== "Retain");
never("a target that has got the volume is not removed", "remove-target", (_, facts) => {
  const isBound = facts.pointsAt === "target" && facts.phase === "Bound" && facts.claimPhase === "Bound";
  return isBound && facts.target.startsWith("target");
});
never("only a target of ours is removed", "remove-target", (_, facts) => {
  return !["target", "target grown", "again"].includes(facts.target);
});
never("the policy comes back only when the target is bound", "settle-volume", (_, facts) => {
  const isBound = facts.pointsAt === "target" && facts.phase === "Bound" && facts.claimPhase === "Bound";
  return !isBound || !facts.target.startsWith("target");
});
never("a transfer ends only when its approval is used or gone", "settle-volume", ({ approval }) => {
  return approval !== undefined && approval.status?.consumed !== true;
});
never("an approval of the name is not used up by what began by a policy", "consume-approval", (_, { standing }) => {
  return standing !== "none";
});
never("a policy is put back only for a claim that is bound", "restore-volume", (_, facts) => {
  const isBound = facts.phase === "Bound" && facts.claimPhase === "Bound";
  const isSource = facts.source === "source" && facts.pointsAt === "source";
  const isReturned = facts.source.startsWith("returned") && facts.pointsAt === "returned";
  return !isBound || !(isSource || isReturned);
});
never("a claim is made again only where the name is free, in the same namespace", "return-claim", (_, facts) => {
  return facts.source !== "none" || facts.fromNamespace !== "stays";
});
never("a volume is given up only when nobody is there", "mark-orphaned", ({ source, target, returned }) => {
  return [source, target, returned].some((end) => end.is === "there");
});

const cases: readonly (readonly [says: string, facts: Partial<Facts>, row: string])[] = [
  ["reserves before it destroys", {}, "the target is not reserved"],
  [
    "gives the source up when the target is there",
    { target: "target", claimPhase: "Bound" },
    "the source is still there",
  ],
  ["waits for pods that came late", { pods: true }, "pods still use the source"],
  ["waits while the source goes", { target: "target", source: "source leaving" }, "the source is on its way out"],
  [
    "hands over when the source is gone",
    { target: "target", source: "none", phase: "Released", claimPhase: "Pending" },
    "the volume does not point at the target",
  ],
  [
    "waits while the volume is attached",
    { target: "target", source: "none", phase: "Released", claimPhase: "Pending", attached: true },
    "the volume is still attached",
  ],
  ["steps back when the approval is withdrawn", { approval: "none", target: "target" }, "a target is left over"],
  [
    "steps back when the policy is withdrawn, whatever approval there is",
    { standing: "gone", target: "target" },
    "a target is left over",
  ],
  ["steps back when the policy is being deleted", { standing: "leaving", target: "target" }, "a target is left over"],
  ["steps back when the policy is another one", { standing: "another", target: "target" }, "a target is left over"],
  ["steps back when the use is gone", { standing: "without the use", target: "target" }, "a target is left over"],
  [
    "steps back when the use is a later one",
    { standing: "with a later use", target: "target" },
    "a target is left over",
  ],
  [
    "gives the source up by a policy without any approval",
    { standing: "there", approval: "none", target: "target", claimPhase: "Bound" },
    "the source is still there",
  ],
  [
    "uses nothing up at the end of what began by a policy",
    { standing: "there", source: "none", pointsAt: "target", wasPointed: true, target: "target", claimPhase: "Bound" },
    "the reclaim policy is not back",
  ],
  ["steps back when the approval is being deleted", { approval: "leaving", target: "target" }, "a target is left over"],
  [
    "steps back when the request is withdrawn",
    { request: "none", turnedBack: "now" },
    "the source has kept its volume",
  ],
  ["steps back when the name is taken", { target: "stranger" }, "the source may still be given up"],
  ["steps back when the volume is being deleted", { volumeLeaves: true }, "the source may still be given up"],
  ["steps back when the source grows", { sourceHas: "grown", target: "target" }, "a target is left over"],
  ["steps back when the source is modified", { sourceHas: "modification" }, "the source may still be given up"],
  ["steps back when the owner keeps it out", { sourceHas: "opted out" }, "the source may still be given up"],
  [
    "goes on after all only when no way back from before can be stored any more",
    { target: "target", turnedBack: "now" },
    "a way back may still be on its way",
  ],
  [
    "a renewed journal is turned back anew",
    { approval: "none", turnedBack: "before" },
    "the source may still be given up",
  ],
  [
    "a claim that the giver plants under its old name brings nothing back",
    { source: "returned", target: "target", phase: "Released", claimPhase: "Pending" },
    "the volume does not point at the target",
  ],
  [
    "gives up nothing for an approval that is used already",
    { approval: "used", target: "target" },
    "a target is left over",
  ],
  [
    "goes on without consents once the source is gone",
    { source: "none", phase: "Released", target: "target", claimPhase: "Pending", approval: "none", request: "none" },
    "the volume does not point at the target",
  ],
  [
    "a bound target that its user lets grow stays the target",
    { source: "none", pointsAt: "target", wasPointed: true, target: "target grown", claimPhase: "Bound" },
    "the approval could be used again",
  ],
  [
    "a claim that came back and grows stays the one",
    { source: "returned grown", pointsAt: "returned", wasPointed: true, target: "none", claimPhase: "Bound" },
    "the reclaim policy is not back",
  ],
  [
    "a target that was deleted and planted again gets nothing",
    { source: "none", pointsAt: "target", wasPointed: true, target: "again", phase: "Released" },
    "the source is not there again",
  ],
  [
    "a re-created source is not the source",
    { source: "stranger", phase: "Released", target: "target", claimPhase: "Pending" },
    "the volume does not point at the target",
  ],
  [
    "an old picture of the claims undoes nothing",
    { pointsAt: "target", wasPointed: true, target: "none" },
    "the source is there without its volume",
  ],
  [
    "is orphaned when both namespaces are gone",
    { source: "none", target: "none", fromNamespace: "is gone", toNamespace: "leaves", phase: "Released" },
    "nobody is there to get it back",
  ],
];

for (const [says, facts, row] of cases)
  test(says, async () => equal(decided(await seenOf({ ...locked, ...facts })).row, row));
