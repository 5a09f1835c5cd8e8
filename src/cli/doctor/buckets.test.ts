import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import type { Bucket, BucketContent } from "../../api/gen/cosi.ts";
import type { Stored } from "../../api/object.ts";
import type { Order } from "../bucket/told.ts";
import { leftFindings, stuckFindings } from "./buckets.ts";
import type { Finding } from "./finding.ts";

const how = { now: new Date("2026-01-01T12:00:00Z"), stuckAfterSeconds: 600 };
const [longAgo, justNow] = ["2026-01-01T11:00:00Z", "2026-01-01T11:59:00Z"];

interface Situation {
  readonly name?: string;
  readonly phase?: NonNullable<Bucket["status"]>["phase"];
  readonly since?: string;
  readonly deletionTimestamp?: string;
}

function bucketIn({ name = "photos", phase, since = longAgo, deletionTimestamp }: Situation): Order {
  const deletion = deletionTimestamp === undefined ? {} : { deletionTimestamp };
  const condition = { type: "SecretPublished", status: "False" as const, reason: "DriverMissing", message: "m" };
  return {
    metadata: { namespace: "a", name, uid: name, resourceVersion: "1", creationTimestamp: longAgo, ...deletion },
    spec: { bucketClassName: "fast", secretName: "keys" },
    ...(phase === undefined
      ? {}
      : { status: { phase, message: "No driver.", conditions: [{ ...condition, lastTransitionTime: since }] } }),
  };
}

const cases: readonly (readonly [says: string, situation: Situation, is: Finding["is"], words: RegExp])[] = [
  ["a bound one", { phase: "Bound" }, "ok", /^1 Bound$/],
  ["one that has just begun", { phase: "Pending", since: justNow }, "ok", /^1 Pending$/],
  ["one that is tried again since a moment ago", { phase: "Retrying", since: justNow }, "ok", /^1 Retrying$/],
  [
    "one that is pending for long",
    { phase: "Pending" },
    "fault",
    /open for 60m: Pending \(DriverMissing: No driver\.\)$/,
  ],
  ["one that is tried again for long", { phase: "Retrying" }, "fault", /open for 60m: Retrying/],
  ["one that failed a moment ago", { phase: "Failed", since: justNow }, "fault", /open for 60s: Failed/],
  ["one that nobody has looked at", {}, "fault", /open for 60m: New \(Portway has not said anything/],
  ["one that goes", { phase: "Releasing", deletionTimestamp: justNow }, "ok", /^1 Releasing$/],
  [
    "a bound one that does not go",
    { phase: "Bound", deletionTimestamp: longAgo },
    "fault",
    /being deleted for 60m: Bound/,
  ],
];

for (const [says, situation, is, words] of cases) {
  test(`${says} is told as ${is}`, () => {
    const [finding, ...more] = stuckFindings([bucketIn(situation)], how);
    deepEqual([finding?.is, more], [is, []]);
    match(finding?.says ?? "", words);
  });
}

test("what to do comes from the reason, and of many the first ones are named and all counted", () => {
  const [one] = stuckFindings([bucketIn({ phase: "Pending" })], how);
  match(one?.next ?? "", /start the driver\. All of it: kubectl portway explain bucket\/photos -n a\.$/);
  const many = Array.from({ length: 12 }, (_, n) => bucketIn({ name: `b-${n}`, phase: "Failed" }));
  const found = stuckFindings([...many, bucketIn({ phase: "Bound" })], how);
  equal(found.length, 11);
  match(found.at(-1)?.says ?? "", /^12 are stuck, of 12 Failed, 1 Bound; those above are the first 10$/);
  equal(stuckFindings([], how)[0]?.says, "there are none");
});

function contentOf(uuid: string, creationTimestamp: string): Stored<BucketContent> {
  const bucketRef = { namespace: "a", name: "photos", uuid };
  return {
    metadata: { name: `fast-${uuid}`, uid: "c", resourceVersion: "1", creationTimestamp },
    spec: { mode: "Greenfield", provisioner: "s3", releasePolicy: "Delete", bucketClassName: "fast", bucketRef },
  };
}

test("only a content whose Bucket is gone for long is left over, and where either is hidden nobody knows", () => {
  const seen = <T>(...value: readonly T[]) => ({ is: "seen", value }) as const;
  const hidden = { is: "unseen" } as const;
  const orders = seen(bucketIn({}));
  const own = contentOf("photos", longAgo);
  deepEqual(
    leftFindings(seen(own, contentOf("x", justNow)), orders, how).map(({ is }) => is),
    ["ok"],
  );
  const [found] = leftFindings(seen(own, contentOf("x", longAgo)), orders, how);
  deepEqual([found?.about, found?.is], ["content fast-x", "fault"]);
  match(found?.next ?? "", /Its driver s3 must release it/);
  equal(leftFindings(hidden, orders, how)[0]?.is, "unseen");
  equal(leftFindings(seen(own), hidden, how)[0]?.is, "unseen");
});
