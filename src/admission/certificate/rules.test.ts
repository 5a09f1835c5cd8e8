import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { decide, type Plan, rest, step } from "../../runtime/table.ts";
import { type Edition, editionOf } from "./keyring.ts";
import { rules, type Seen, type Step, scheduleFor } from "./rules.ts";
import { selfSigned } from "./self-signed.ts";

const day = 24 * 3600;
const now = new Date("2026-06-01T00:00:00Z");
const names = ["portway-webhook.portway-system.svc"];
const schedule = scheduleFor(90 * day);

function lasting(days: number, named: readonly string[] = names): Edition {
  const notBefore = new Date(now.getTime() - 100 * day * 1000);
  return editionOf(selfSigned({ names: named, notBefore, notAfter: new Date(now.getTime() + days * day * 1000) }));
}

const [old, fresh, over, elsewhere] = [lasting(29), lasting(90), lasting(-1), lasting(90, ["other.svc"])];
const base: Seen = {
  keyring: { current: fresh },
  isTrusted: true,
  isServed: true,
  nextTrustedSeconds: 0,
  names,
  schedule,
  now,
};

const cases: readonly (readonly [says: string, seen: Partial<Seen>, plan: Plan<Step>])[] = [
  ["an empty Secret is filled", { keyring: {} }, step("make-current")],
  ["a certificate that is over is replaced at once", { keyring: { current: over } }, step("make-current")],
  ["nothing is served before it is trusted", { isTrusted: false, isServed: false }, step("trust")],
  ["what is trusted is served", { isServed: false }, step("serve")],
  ["with a third of its life left it gets a successor", { keyring: { current: old } }, step("make-next")],
  ["one that lacks a name of ours gets a successor", { keyring: { current: elsewhere } }, step("make-next")],
  ["a successor that is over is none", { keyring: { current: old, next: over } }, step("make-next")],
  ["the successor is trusted first", { keyring: { current: old, next: fresh }, isTrusted: false }, step("trust")],
  [
    "and waits until every API server has heard of it",
    { keyring: { current: old, next: fresh }, nextTrustedSeconds: 59 },
    rest,
  ],
  ["then it takes over", { keyring: { current: old, next: fresh }, nextTrustedSeconds: 60 }, step("promote")],
  ["a young one with its predecessor is left alone", { keyring: { current: fresh, previous: old } }, rest],
];

for (const [says, seen, plan] of cases) {
  test(says, () => deepEqual(decide(rules, { ...base, ...seen }).plan, plan));
}

test("every row is reached", () => {
  const rows = new Set(cases.map(([, seen]) => decide(rules, { ...base, ...seen }).row));
  equal(rows.size, rules.length);
});

test("short lives are looked at more often", () => {
  deepEqual(scheduleFor(24), { lifetimeSeconds: 24, renewSeconds: 8, settleSeconds: 2, checkSeconds: 0.8 });
  deepEqual([schedule.settleSeconds, schedule.checkSeconds], [60, 10]);
});
