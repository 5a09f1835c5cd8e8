import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import {
  aBucket,
  aBucketSeen,
  aContent,
  begun,
  conditions,
  granted,
  held,
  leaving,
  made,
  now,
  secondsAgo,
} from "../../../test/fixture/bucket-seen.ts";
import type { BucketContentStatus, BucketStatus } from "../../api/gen/cosi.ts";
import { type Reason, reasons } from "../../api/reasons.ts";
import { isNews, type Report, type Written } from "../../runtime/report.ts";
import { decide, type Plan, refuse } from "../../runtime/table.ts";
import { type Step, tableFor } from "./rules.ts";
import type { Seen } from "./seen.ts";
import { report } from "./status.ts";

const decided = (seen: Seen) => decide(tableFor(seen), seen);
const isStatus = (one: Report | undefined): one is Written & { readonly status: object } =>
  one !== undefined && "status" in one;

function told(seen: Seen, decision = decided(seen)) {
  const found = report(seen, decision).find(({ resource }) => resource.plural === "buckets");
  ok(isStatus(found), "the Bucket is told something");
  return { status: found.status as BucketStatus, note: found.note, isNews: isNews(found) };
}

/** As the Bucket is after somebody has written that. */
const after = (seen: Seen, status: BucketStatus, later: Partial<Seen> = {}): Seen => ({
  ...seen,
  bucket: aBucket({ metadata: held, status }),
  ...later,
});
const conditionOf = ({ conditions: all = [] }: BucketStatus, wanted: string) => all.find(({ type }) => type === wanted);
const refusedBy = (why: Reason, detail: string): { row: string; plan: Plan<Step> } => ({
  row: 'the step "publish-secret" is refused',
  plan: refuse(why, detail),
});

const ready = aBucketSeen({ content: aContent({ spec: made, status: granted }) });
const bound = { ...ready, publishedAt: now };
const inTheWay = (why: Reason) => refusedBy(why, "The Secret team-a/photos-keys is not this Bucket's.");

test("a bound Bucket says so in its phase and in every condition, of this generation", () => {
  const { status, note } = told(bound);
  deepEqual(
    [status.phase, status.bucketContentName, status.observedGeneration],
    ["Bound", "gold-0b5a1f3e-9c1d-4a57-8f0e-2d6b3c4a5e6f", 1],
  );
  deepEqual(
    status.conditions?.map(({ type, status: is, observedGeneration }) => [type, is, observedGeneration]),
    ["ClassResolved", "DriverAvailable", "BucketReady", "SecretPublished"].map((type) => [type, "True", 1]),
  );
  deepEqual([note?.type, note?.reason], ["Normal", "BucketBound"]);
});

test("its content is told, too, once", () => {
  const found = report(bound, decided(bound)).find(({ resource }) => resource.plural === "bucketcontents");
  ok(isStatus(found));
  const { phase, conditions: all = [] } = found.status as BucketContentStatus;
  deepEqual([phase, all.find(({ type }) => type === "Bound")?.status], ["Bound", "True"]);
  const content = aContent({
    spec: made,
    status: { ...granted, conditions: [...granted.conditions, ...conditions({ Bound: true })] },
  });
  equal(report({ ...bound, content }, decided(bound)).length, 1);
});

test("what is told is no news when nothing has changed, and says nothing again", () => {
  const { status } = told(bound);
  const again = told(after(bound, status, { now: new Date(now.getTime() + 5000) }));
  deepEqual([again.isNews, again.note], [false, undefined]);
});

test("a bound Bucket is not written again when its driver starts again", () => {
  const { status } = told(bound);
  equal(told(after(bound, status, { driver: undefined })).isNews, false);
});

test("a driver that comes is told when the Bucket is bound, although it was missing before", () => {
  const missing = told({ ...ready, content: aContent(), driver: undefined }).status;
  equal(conditionOf(missing, "DriverAvailable")?.reason, "DriverMissing");
  equal(conditionOf(told(after(bound, missing)).status, "DriverAvailable")?.status, "True");
});

const phases: readonly (readonly [says: string, seen: Seen, phase: string, why: string])[] = [
  ["its class is not there", aBucketSeen({ bucketClass: undefined }), "Pending", "BucketClassMissing"],
  ["its driver is not there", aBucketSeen({ content: aContent(), driver: undefined }), "Pending", "DriverMissing"],
  ["its driver is at work", aBucketSeen({ content: aContent({ status: begun }) }), "Pending", "BucketPending"],
  [
    "its driver is asked again",
    aBucketSeen({ content: aContent({ status: { conditions: conditions({ BucketReady: "DriverRetried" }) } }) }),
    "Retrying",
    "DriverRetried",
  ],
  [
    "its driver refuses",
    aBucketSeen({ content: aContent({ status: { conditions: conditions({ BucketReady: "DriverRefused" }) } }) }),
    "Failed",
    "DriverRefused",
  ],
  [
    "its content is another's",
    aBucketSeen({ namesake: aContent({ metadata: { uid: "another" } }) }),
    "Failed",
    "ContentTaken",
  ],
  [
    "its content is gone",
    aBucketSeen({ bucket: aBucket({ metadata: held, status: { bucketContentName: "gold-x" } }) }),
    "Failed",
    "ContentLost",
  ],
  [
    "it goes",
    aBucketSeen({
      bucket: aBucket({ metadata: { ...held, ...leaving } }),
      content: aContent({
        metadata: { ...held, ...leaving },
        status: { ...begun, conditions: [...begun.conditions, ...conditions({ BucketLeaving: true })] },
      }),
    }),
    "Releasing",
    "BucketReleasing",
  ],
];

for (const [says, seen, phase, why] of phases)
  test(`when ${says}, a Bucket is ${phase}, and says why, what to do and which row holds`, () => {
    const { status } = told(seen);
    deepEqual([status.phase, conditionOf(status, "SecretPublished")?.reason], [phase, why]);
    ok(why in reasons);
    const isSidecars = seen.content?.status?.conditions?.some(({ reason }) => reason === why) === true;
    if (isSidecars) return;
    ok(status.message?.includes(reasons[why as Reason].next), status.message);
    ok(status.message?.endsWith(`(${decided(seen).row})`), status.message);
  });

test("trouble with the driver is told in its sidecar's words, once, and as a warning", () => {
  const words = "The driver says: no space left. Ask the platform team. (the driver said no a moment ago)";
  const content = aContent({ status: { conditions: conditions({ BucketReady: "DriverRefused" }, words) } });
  const { status, note } = told(aBucketSeen({ content }));
  deepEqual([status.message, note], [words, { type: "Warning", reason: "DriverRefused", message: words }]);
});

test("an ordinary wait is no warning", () => equal(told(aBucketSeen({ content: aContent() })).note, undefined));

for (const why of ["SecretConflict", "QuotaExceeded"] as const) {
  test(`${why} comes, is tried for five minutes, is tried on as Failed, and goes`, () => {
    const first = told(ready, inTheWay(why));
    deepEqual([first.status.phase, conditionOf(first.status, why)?.status], ["Retrying", "True"]);
    deepEqual([first.note?.type, first.note?.reason], ["Warning", why]);
    const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
    const second = told(after(ready, first.status, { now: minutesLater(4) }), inTheWay(why));
    deepEqual([second.status.phase, second.isNews], ["Retrying", false]);
    const third = told(after(ready, second.status, { now: minutesLater(6) }), inTheWay(why));
    equal(third.status.phase, "Failed");
    const last = told(after(bound, third.status, { now: minutesLater(7) }));
    deepEqual([last.status.phase, conditionOf(last.status, why)?.status], ["Bound", "False"]);
  });
}

test("nobody hears of what was never in the way", () => {
  const { status } = told(bound);
  deepEqual([conditionOf(status, "SecretConflict"), conditionOf(status, "PrefixIgnored")], [undefined, undefined]);
});

test("a prefix for a bucket that has its name already is said to be ignored", () => {
  const bucket = aBucket({ metadata: held, spec: { bucketPrefix: "mine-" } });
  const brownfield = { ...bound, bucket, content: aContent({ mode: "Brownfield", spec: made, status: granted }) };
  equal(conditionOf(told(brownfield).status, "PrefixIgnored")?.status, "True");
  equal(conditionOf(told({ ...bound, bucket }).status, "PrefixIgnored"), undefined);
});

test("a class that cannot be used is not resolved", () => {
  const seen = aBucketSeen({ bucketClass: { metadata: { name: "gold", uid: "u", resourceVersion: "1" } } });
  const { status } = told(seen);
  deepEqual([status.phase, conditionOf(status, "ClassResolved")?.reason], ["Failed", "BucketClassUndefined"]);
  match(status.message ?? "", /The BucketClass gold cannot be used: .* Ask the platform team/);
});

test("a driver that is silent is not available, and the Bucket still waits", () => {
  const old = { ...held, creationTimestamp: "2026-11-18T11:00:00Z" };
  const heard = { of: "registration-uid", at: now, renewedAt: secondsAgo(120) };
  const { status } = told(aBucketSeen({ content: aContent({ metadata: old, status: begun }), heard }));
  deepEqual([status.phase, conditionOf(status, "DriverAvailable")?.reason], ["Pending", "DriverSilent"]);
});

test("a Bucket of keys that exist has no driver to be told of", () => {
  const content = aContent({ mode: "Static", status: granted });
  equal(conditionOf(told({ ...bound, content, driver: undefined }).status, "DriverAvailable"), undefined);
});
