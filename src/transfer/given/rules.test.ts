import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { constantFrom } from "fast-check";
import { tableTests } from "../../../test/fixture/table-kit.ts";
import { type Facts, factsSample, given } from "../../../test/transfer/give-facts.ts";
import { givenOf } from "../../../test/transfer/gives.ts";
import { decide } from "../../runtime/table.ts";
import { giving, type Step, tableFor, taking, withdrawing } from "./rules.ts";
import type { Given } from "./seen.ts";

const everything: (readonly [Facts, Given])[] = [];
for (const facts of factsSample(40_000)) {
  const seen = await givenOf(facts);
  if (seen !== undefined) everything.push([facts, seen]);
}

for (const [name, table] of Object.entries({ giving, withdrawing, taking })) {
  const states = everything.map(([, seen]) => seen).filter((seen) => tableFor(seen) === table);
  tableTests({ name, table, states: constantFrom(...states) });
}

function never(says: string, step: Step, isWrong: (facts: Facts, seen: Given) => boolean): void {
  test(says, () => {
    const taken = everything.filter(([, seen]) => {
      const { plan } = decide(tableFor(seen), seen);
      return plan.do === "step" && plan.step === step;
    });
    ok(taken.length > 0, `"${step}" is taken somewhere`);
    deepEqual(taken.filter(([facts, seen]) => isWrong(facts, seen)).map(([facts]) => facts)[0], undefined);
  });
}

const isSourceThere = ({ source }: Facts) => !["none", "taken back"].includes(source);

test("nothing but a word to its new owner comes after the end", () => {
  const ended = everything.filter(([{ journal }]) => journal !== "open");
  ok(ended.length > 1000);
  for (const [, seen] of ended) {
    const { plan } = decide(tableFor(seen), seen);
    ok(plan.do === "rest" || (plan.do === "step" && plan.step === "mark-complete"));
  }
});

never("the volume is handed over only when the source is gone", "hand-over", isSourceThere);
never(
  "the volume is handed over only to a claim that accepts and fits",
  "hand-over",
  ({ target, source }, { receiver }) => {
    const isTarget = target.startsWith("accepts") && receiver?.isTarget === true;
    return !(isTarget || (source === "taken back" && receiver?.isTarget === false)) || receiver?.misfit !== undefined;
  },
);
never("the volume is handed over only behind a lock, and detached", "hand-over", ({ policy, attached }) => {
  return policy !== "Retain" || attached;
});
never("the volume is handed over only when few of its giver are being bound", "hand-over", ({ crowded }) => crowded);
never("no claim gets the volume's name while the source lives", "name-volume", isSourceThere);
never("only a claim that nothing holds gets the volume's name", "name-volume", (_, { receiver }) => {
  return receiver?.isHeld === true || (receiver?.claim.spec?.volumeName ?? "") !== "";
});
never("the policy comes back only for a claim that is bound to it", "settle-volume", (_, { receiver }) => {
  return receiver?.isBound !== true;
});
never("a volume goes back only to a source that keeps it, and is bound", "restore-volume", (facts) => {
  const keeps = ["keeps", "unclear", "gives to another"].includes(facts.source);
  return !keeps || facts.sourceIs === "lost" || facts.pointsAt !== "source" || !facts.turnedBack;
});
never("nobody is left waiting for what went back", "restore-volume", ({ target, mark }) => {
  return target !== "none" && mark === "pending";
});
never(
  "a volume is given up only when both namespaces are gone",
  "mark-orphaned",
  ({ namespaces }) => namespaces !== "none",
);

const cases: readonly (readonly [says: string, facts: Partial<Facts>, row: string])[] = [
  ["waits for somebody to accept", { target: "none" }, "nobody has accepted it"],
  ["a claim without the word does not accept", { target: "silent", mark: "none" }, "nobody has accepted it"],
  ["a claim that is being deleted does not accept", { target: "leaving" }, "nobody has accepted it"],
  ["marks the target", { mark: "none" }, "the target does not know that it waits"],
  ["waits until the source is deleted", {}, "the source is still there"],
  ["a target that is bound elsewhere gets nothing", { target: "bound elsewhere" }, "who accepts it cannot have it"],
  ["a give that is written again counts again", { turnedBack: true }, "a way back may still be on its way"],
  ["a give to somebody else is withdrawn first", { source: "gives to another" }, "somebody still waits for it"],
  ["a source on its way out stays given", { source: "keeps, leaving" }, "the source is on its way out"],
  [
    "hands over when the source is gone",
    { source: "none", claimPhase: "Pending" },
    "the volume does not point at who accepts it",
  ],
  [
    "the giver takes it back under the old name",
    { source: "taken back", target: "none", claimPhase: "Pending" },
    "who accepts it does not know that it waits",
  ],
  [
    "a word that is taken back when the volume is theirs changes nothing",
    { source: "none", pointsAt: "target", target: "silent" },
    "nothing keeps it from another volume",
  ],
  ["settles when it is bound", { source: "none", pointsAt: "target" }, "the reclaim policy is not back"],
  [
    "tells its new owner last",
    { journal: "complete", source: "none", pointsAt: "target" },
    "its new owner is not told yet",
  ],
];

for (const [says, facts, row] of cases)
  test(says, async () => {
    const seen = await givenOf({ ...given, ...facts });
    ok(seen !== undefined);
    equal(decide(tableFor(seen), seen).row, row);
  });
