import { deepEqual, ok } from "node:assert/strict";
import { test } from "node:test";
import { constantFrom, record, sample } from "fast-check";
import { aRegistration, now, secondsAgo } from "../../../../test/fixture/bucket-seen.ts";
import { tableTests } from "../../../../test/fixture/table-kit.ts";
import { decide } from "../../../runtime/table.ts";
import { patienceSeconds, registering } from "./rules.ts";
import type { Asked, Seen } from "./seen.ts";

const ours = aRegistration();
const otherWords = { ...ours, spec: { ...ours.spec, capabilities: ["PURGE"] } };
const anothers = { ...ours, spec: { ...ours.spec, instanceID: "elsewhere/cosi-sidecar", namespace: "elsewhere" } };
const asked = (secondsSince: number, renewed: number | undefined): Asked => ({
  at: secondsAgo(secondsSince),
  version: ours.metadata.resourceVersion,
  renewedAt: renewed === undefined ? undefined : secondsAgo(renewed),
});

const states = record<Seen>({
  wished: constantFrom(ours.spec),
  found: constantFrom(undefined, ours, otherWords, anothers),
  asked: constantFrom(undefined, asked(0, 1), asked(0, 61), asked(0, undefined), asked(2, 3)),
  since: constantFrom(now, secondsAgo(patienceSeconds), secondsAgo(patienceSeconds + 1)),
  now: constantFrom(now),
});

tableTests({ name: "registering", table: registering, states, runs: 2000 });

const fresh: Seen = { wished: ours.spec, found: undefined, asked: undefined, since: now, now };
const cases: readonly (readonly [says: string, seen: Partial<Seen>, what: string])[] = [
  ["a name that nobody has is taken", {}, "register"],
  ["after a restart the name is still ours", { found: ours }, "rest"],
  ["a driver that says other things than before is written down anew", { found: otherWords }, "renew"],
  ["another one is asked after before anything else", { found: anothers }, "ask-lease"],
  ["one whose Lease is old has left its name to us", { found: anothers, asked: asked(0, 61) }, "take-over"],
  ["one without a holder has, too", { found: anothers, asked: asked(0, undefined) }, "take-over"],
  ["one that lives keeps its name", { found: anothers, asked: asked(0, 1) }, "DriverNameTaken"],
  ["also when its Lease is as old as it may be", { found: anothers, asked: asked(0, 60) }, "DriverNameTaken"],
  ["and is asked after again and again", { found: anothers, asked: asked(2, 3) }, "ask-lease"],
  ["in the end we go", { found: anothers, asked: asked(0, 1), since: secondsAgo(patienceSeconds + 1) }, "give-up"],
];

for (const [says, seen, what] of cases)
  test(says, () => {
    const { plan } = decide(registering, { ...fresh, ...seen });
    deepEqual(plan.do === "step" ? plan.step : plan.do === "wait" ? plan.why : plan.do, what);
  });

test("nobody's name is taken over, or given up for, without a look at who has it", () => {
  const taken = sample(states, { numRuns: 2000, seed: 7 }).filter((seen) => {
    const { plan } = decide(registering, seen);
    return plan.do === "step" && ["take-over", "give-up"].includes(plan.step);
  });
  ok(taken.length > 10);
  deepEqual(
    taken.find((seen) => seen.asked === undefined || seen.found !== anothers),
    undefined,
  );
});
