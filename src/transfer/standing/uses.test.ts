import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import {
  aClaim,
  aJournal,
  byPolicy,
  leaving,
  noon,
  stored,
  thePolicy,
  theSource,
  theUse,
} from "../../../test/transfer/worlds.ts";
import type { PersistentVolumeClaimSpec } from "../../api/gen/core.ts";
import type { Metadata } from "../../api/object.ts";
import type { Policy } from "../watches.ts";
import { noteOnEnd, policyStatus } from "./status.ts";
import { covers, holdsUseOf, stateOf } from "./uses.ts";

const target = stored({ name: "to", uid: "to-uid", labels: { team: "b" } });
const others = ["x", "y", "z"].map((uid) => ({ ...theUse, requestUID: uid }));

interface Case {
  readonly spec?: Partial<Policy["spec"]>;
  readonly uses?: typeof others;
  readonly metadata?: Metadata;
  readonly claim?: Metadata;
  readonly claimSpec?: PersistentVolumeClaimSpec;
}

const byLabel = (labels: Readonly<Record<string, string>>) => ({ namespaceSelector: { matchLabels: labels } });
const size = (storage: string) => ({ resources: { requests: { storage } } });
const gold = { claims: { selector: { matchLabels: { tier: "gold" } } } };
const ofClass = { claims: { storageClassNames: ["slow", "fast"] } };

const cases: readonly (readonly [says: string, isCovered: boolean, about: Case])[] = [
  ["the namespace is named", true, {}],
  ["another namespace is named", false, { spec: { targets: { namespaces: ["elsewhere"] } } }],
  ["the namespace is selected", true, { spec: { targets: byLabel({ team: "b" }) } }],
  ["another namespace is selected", false, { spec: { targets: byLabel({ team: "c" }) } }],
  ["it is not named, but selected", true, { spec: { targets: { namespaces: ["x"], ...byLabel({ team: "b" }) } } }],
  ["every namespace is selected", true, { spec: { targets: { namespaceSelector: {} } } }],
  ["the claim has the label", true, { spec: gold, claim: { labels: { tier: "gold" } } }],
  ["the claim has another label", false, { spec: gold, claim: { labels: { tier: "silver" } } }],
  ["the claim has no label", false, { spec: gold }],
  ["the claim is of one of the classes", true, { spec: ofClass }],
  ["the claim is of another class", false, { spec: ofClass, claimSpec: { storageClassName: "other" } }],
  ["the claim is as big as may be", true, { spec: { maxSize: "1Gi" } }],
  ["the same size in other words", true, { spec: { maxSize: "1024Mi" } }],
  ["the claim is a byte too big", false, { spec: { maxSize: "1Gi" }, claimSpec: size("1073741825") }],
  ["the claim has no size that can be read", false, { spec: { maxSize: "1Gi" }, claimSpec: size("much") }],
  ["one use is left", true, { uses: others.slice(0, 2) }],
  ["no use is left", false, { uses: others }],
  ["more was used than may be now", false, { spec: { count: 1 }, uses: others }],
  ["its time is not over", true, { spec: { until: "2026-11-17T12:00:01Z" } }],
  ["its time is over this very moment", false, { spec: { until: "2026-11-17T12:00:00Z" } }],
  ["nobody can read when its time is over", false, { spec: { until: "some day" } }],
  ["it is being deleted", false, { metadata: leaving }],
];

for (const [says, isCovered, { spec, uses, metadata, claim, claimSpec }] of cases)
  test(`a request is ${isCovered ? "covered" : "not covered"} when ${says}`, () => {
    const source = aClaim({ ...theSource, ...claim }, claimSpec);
    equal(covers(thePolicy(spec, uses, metadata), { source, targetNamespace: target, now: noon }), isCovered);
  });

test("a use belongs to the transfer that began by it, and to no later one of the same request", () => {
  const journal = aJournal(byPolicy);
  equal(holdsUseOf(thePolicy({}, [theUse]), journal), true);
  equal(holdsUseOf(thePolicy({}, [{ ...theUse, at: "2026-11-17T11:30:00.000Z" }]), journal), false);
  equal(holdsUseOf(thePolicy({}, [{ ...theUse, requestUID: "another" }]), journal), false);
  equal(holdsUseOf(thePolicy({}, [theUse]), aJournal()), false);
});

test("a policy says what it is good for, and why not any more", () => {
  const policy = thePolicy({ count: 1 });
  equal(stateOf({ ...policy.spec, until: "2026-11-17T11:00:00Z" }, [theUse], noon), "PolicyExpired");
  const [before, after] = [policyStatus(policy, [], noon), policyStatus(policy, [theUse], noon)];
  deepEqual([before.used, before.conditions?.[0]?.status, before.conditions?.[0]?.reason], [0, "True", "PolicyActive"]);
  deepEqual(
    [after.used, after.conditions?.[0]?.status, after.conditions?.[0]?.reason],
    [1, "False", "PolicyExhausted"],
  );
  match(after.conditions?.[0]?.message ?? "", /Raise spec\.count/);
});

test("the last use is told once, and only the last", () => {
  const policy = thePolicy({ count: 1 });
  deepEqual(noteOnEnd(policy, [], noon), []);
  deepEqual(
    noteOnEnd(policy, [theUse], noon).map(({ reason }) => reason),
    ["PolicyExhausted"],
  );
  const told = { ...policy, status: policyStatus(policy, [theUse], noon) };
  deepEqual(noteOnEnd(told, [theUse], noon), []);
});
