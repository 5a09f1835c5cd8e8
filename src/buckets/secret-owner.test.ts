import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { aBucket, bucketUid } from "../../test/fixture/bucket-seen.ts";
import { bucketContents, buckets } from "../api/gen/cosi.ts";
import type { OwnerReference } from "../api/object.ts";
import { isControlledBy, madeFor, wasMadeFor } from "./secret-owner.ts";

const { annotations, ownerReferences: references } = madeFor(buckets, aBucket());
const [owner] = references as [OwnerReference];
const owned = (...ownerReferences: readonly OwnerReference[]) => ({ metadata: { name: "keys", ownerReferences } });

test("a Secret is controlled by its Bucket, in a way that needs no right to hold the Bucket back", () => {
  deepEqual(owner, {
    apiVersion: "cosi.io/v1alpha1",
    kind: "Bucket",
    name: "photos",
    uid: bucketUid,
    controller: true,
    blockOwnerDeletion: false,
  });
  equal(isControlledBy(owned(owner), buckets, bucketUid), true);
  equal(wasMadeFor(owned(owner), buckets, bucketUid), true);
});

test("a Secret whose owner was stripped off goes with its Bucket, and is used by nobody", () => {
  const stripped = { metadata: { name: "keys", annotations } };
  deepEqual([isControlledBy(stripped, buckets, bucketUid), wasMadeFor(stripped, buckets, bucketUid)], [false, true]);
  equal(wasMadeFor(stripped, buckets, "another"), false);
  const adopted = { metadata: { name: "keys", annotations, ownerReferences: [{ ...owner, kind: "Deployment" }] } };
  equal(wasMadeFor(adopted, buckets, bucketUid), false);
});

const strangers: readonly (readonly [says: string, owners: readonly OwnerReference[]])[] = [
  ["nobody owns", []],
  ["a Bucket of the same name and another uid owns", [{ ...owner, uid: "another" }]],
  ["the Bucket owns and does not control", [{ ...owner, controller: false }]],
  ["another kind of that uid controls", [{ ...owner, kind: "Deployment" }]],
];

for (const [says, owners] of strangers)
  test(`a Secret that ${says} is another's`, () => {
    equal(isControlledBy(owned(...owners), buckets, bucketUid), false);
    equal(wasMadeFor(owned(...owners), buckets, bucketUid), false);
  });

test("a Secret of a content is no Secret of a Bucket", () => {
  equal(isControlledBy(owned(owner), bucketContents, bucketUid), false);
});
