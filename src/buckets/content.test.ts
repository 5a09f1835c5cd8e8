import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { aContent, begun, conditions, contentUid, granted, leaving, made } from "../../test/fixture/bucket-seen.ts";
import { hasBegun, isGivenUp, isReady, phaseOf, troubleIn } from "./content.ts";

const phases: readonly (readonly [says: string, wishes: Parameters<typeof conditions>[0], phase: string])[] = [
  ["nothing is said", {}, "Pending"],
  ["it has begun", { ProvisioningStarted: true }, "Pending"],
  ["only the bucket is there", { ProvisioningStarted: true, BucketReady: true }, "Pending"],
  ["the keys are granted", { BucketReady: true, AccessGranted: true }, "Ready"],
  ["its Bucket has the Secret", { BucketReady: true, AccessGranted: true, Bound: true }, "Bound"],
  ["the driver is asked again", { BucketReady: "DriverRetried" }, "Retrying"],
  ["the driver has failed for long", { BucketReady: "DriverKeepsFailing" }, "Failed"],
  ["the driver refuses", { BucketReady: true, AccessGranted: "DriverRefused" }, "Failed"],
  ["the end is tried again", { AccessGranted: true, Bound: true, Released: "DriverRetried" }, "Retrying"],
  ["the end is refused", { AccessGranted: true, Bound: true, Released: "DriverRefused" }, "Failed"],
  ["its Bucket goes", { AccessGranted: true, Bound: true, BucketLeaving: true }, "Bound"],
  ["it is released", { AccessGranted: true, Bound: true, BucketLeaving: true, Released: true }, "Released"],
];

for (const [says, wishes, phase] of phases)
  test(`when ${says}, a content is ${phase}`, () => equal(phaseOf(conditions(wishes)), phase));

test("what is in the way at the end counts more than what was in the way before", () => {
  const both = conditions({ AccessGranted: "DriverRetried", Released: "DriverRefused" });
  equal(troubleIn(both)?.reason, "DriverRefused");
  equal(troubleIn(conditions({ BucketReady: true })), undefined);
});

test("a content has begun when its own account is written down, and not that of another uid", () => {
  equal(hasBegun(aContent({ status: begun })), true);
  equal(hasBegun(aContent()), false);
  equal(hasBegun(aContent({ status: { ...begun, accounts: [] } })), false);
  equal(hasBegun(aContent({ status: { accounts: begun.accounts } })), false);
  equal(hasBegun(aContent({ metadata: { uid: `${contentUid}-restored` }, status: granted })), false);
});

test("a content is given up when it goes and its Bucket goes, or when nobody has begun with it", () => {
  const leavingToo = { ...granted, conditions: [...granted.conditions, ...conditions({ BucketLeaving: true })] };
  const found = [
    aContent({ status: granted }),
    aContent({ status: leavingToo }),
    aContent({ status: granted, metadata: leaving }),
    aContent({ status: leavingToo, metadata: leaving }),
    aContent({ metadata: leaving }),
  ].map(isGivenUp);
  deepEqual(found, [false, false, false, true, true]);
});

test("a content is ready when its keys are granted and somebody can find them", () => {
  equal(isReady(aContent({ status: granted, spec: made })), true);
  equal(isReady(aContent({ status: granted })), false);
  equal(isReady(aContent({ status: begun, spec: made })), false);
  // The Secret of a class is named from the beginning, and looked at later.
  equal(isReady(aContent({ mode: "Static" })), false);
});
