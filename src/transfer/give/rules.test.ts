import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { constantFrom } from "fast-check";
import { tableTests } from "../../../test/fixture/table-kit.ts";
import { type Facts, factsSample, given } from "../../../test/transfer/give-facts.ts";
import { offerOf } from "../../../test/transfer/gives.ts";
import { decide } from "../../runtime/table.ts";
import { closedGate, gates } from "./gates.ts";
import { offered, type Step } from "./rules.ts";
import type { Offered } from "./seen.ts";

const everything: (readonly [Facts, Offered])[] = [];
for (const facts of factsSample(20_000)) {
  const seen = await offerOf(facts);
  if (seen !== undefined) everything.push([facts, seen]);
}

tableTests({ name: "offered", table: offered, states: constantFrom(...everything.map(([, seen]) => seen)) });

function never(says: string, step: Step, isWrong: (facts: Facts, seen: Offered) => boolean): void {
  test(says, () => {
    const taken = everything.filter(([, seen]) => {
      const { plan } = decide(offered, seen);
      return plan.do === "step" && plan.step === step;
    });
    ok(taken.length > 0, `"${step}" is taken somewhere`);
    deepEqual(taken.filter(([facts, seen]) => isWrong(facts, seen)).map(([facts]) => facts)[0], undefined);
  });
}

never("nothing is locked that is not given", "lock-volume", ({ source }) => !source.startsWith("gives"));
never("nothing is locked that is not bound in both directions", "lock-volume", ({ sourceIs, pointsAt }) => {
  return sourceIs !== "bound" || pointsAt !== "source";
});
never("nothing is locked over an open journal, or one that is not ours to read", "lock-volume", ({ journal }) => {
  return ["open", "a request's", "newer"].includes(journal);
});
never("nothing is locked while transfers are off, or too many gives wait", "lock-volume", (facts) => {
  return !facts.transfersAreOn || facts.tooMany;
});
never("nothing is locked while an earlier claim of its name waits", "lock-volume", (facts) => facts.namesakeWaits);
never("nothing is locked without both namespaces", "lock-volume", ({ namespaces }) => namespaces !== "both");
never("a given claim is let go only when its volume is safe, or its namespace goes", "release-hold", (facts) => {
  const isGiven = facts.source.startsWith("gives") || facts.source === "unclear";
  const isSafe = facts.journal === "open" && !facts.turnedBack;
  return isGiven && !isSafe && facts.namespaces !== "the taker's" && facts.namespaces !== "none";
});

for (const [index, gate] of gates.entries()) {
  test(`the gate ${gate.name} closes, and nothing else would say the same`, () => {
    const others = gates.toSpliced(index, 1);
    const first = (from: typeof gates, seen: Offered) =>
      JSON.stringify(from.map((one) => one(seen)).find((verdict) => verdict !== undefined));
    const shown = ["toItself", "volumeLeaving", "resizing", "snapshotOrClone", "secretsInSource", "otherThanItsVolume"];
    // Those are shown on a real server, or by the other door's tests of the same function.
    ok(shown.includes(gate.name) || everything.some(([, seen]) => first(gates, seen) !== first(others, seen)));
  });
}

const cases: readonly (readonly [says: string, facts: Partial<Facts>, row: string])[] = [
  ["locks what is given", { journal: "none" }, "the volume is not locked"],
  ["locks again what went back", { journal: "rolled-back" }, "the volume is not locked"],
  ["lets go when the volume is locked", { isHeld: true }, "nothing needs the hold any more"],
  [
    "keeps the hold while a way back may arrive",
    { isHeld: true, turnedBack: true },
    "its volume is locked, or nothing is given",
  ],
  ["lets go when the give is withdrawn", { isHeld: true, source: "keeps" }, "nothing needs the hold any more"],
  ["keeps what it cannot lock", { journal: "none", isHeld: true, sourceIs: "opted out" }, "something is in the way"],
];

for (const [says, facts, row] of cases)
  test(says, async () => {
    const seen = await offerOf({ ...given, ...facts });
    ok(seen !== undefined);
    equal(decide(offered, seen).row, row);
  });

test("who deletes a claim that cannot be given is told how its deletion goes on", async () => {
  const seen = await offerOf({
    ...given,
    journal: "none",
    source: "gives, leaving",
    isHeld: true,
    sourceIs: "opted out",
  });
  ok(seen !== undefined);
  const plan = closedGate(seen);
  ok(plan?.do === "wait");
  ok(plan.detail?.includes("remove the annotation to let its deletion go on"));
});
