import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { noFrom } from "../driver/place.ts";
import { driverGround, tenantOf } from "./driver-ground.ts";
import { statusOf } from "./keys.ts";

const object = { Bucket: "photos", Key: "a" };
const written = { ...object, Body: "1" };

test("a store that is down is UNAVAILABLE, and when it is back nothing is lost", async (t) => {
  const ground = await driverGround(t);
  const { buckets, store } = ground;
  await buckets.createBucket({ name: "photos" });
  const { s3, keys } = await tenantOf(t, ground, "photos", "one");
  await s3.send(new PutObjectCommand(written));
  await store.stop();
  const nos = await Promise.all([
    noFrom(buckets.createBucket({ name: "letters" })),
    noFrom(buckets.grantBucketAccess({ bucketId: "photos", accountName: "two" })),
    noFrom(buckets.revokeBucketAccess({ bucketId: "photos", accountName: "one" })),
    noFrom(buckets.deleteBucket({ bucketId: "photos", purge: true })),
  ]);
  for (const { code, details } of nos) {
    equal(code, "UNAVAILABLE");
    match(details, /the store cannot be reached: connect ECONNREFUSED/);
  }
  equal((await buckets.getDriverInfo({})).version, "1");

  await store.start();
  deepEqual((await tenantOf(t, ground, "photos", "one")).keys, keys);
  equal(await statusOf(s3.send(new GetObjectCommand(object))), 200);
});

test("a store that does not answer costs a call its timeout, and no more calls than that", async (t) => {
  const ground = await driverGround(t, { storeTimeoutSeconds: 0.5 });
  const { buckets, store } = ground;
  await buckets.createBucket({ name: "photos" });
  store.freeze();
  const no = await noFrom(
    buckets.grantBucketAccess({ bucketId: "photos", accountName: "one" }, { timeoutSeconds: 60 }),
  );
  equal(no.code, "DEADLINE_EXCEEDED");
  equal(no.details, "read the policy of photos: the store did not answer within 0.5 s");
  store.thaw();
  const { s3 } = await tenantOf(t, ground, "photos", "one");
  equal(await statusOf(s3.send(new PutObjectCommand(written))), 200);
});

const wrongSecret = "a-secret-that-the-store-does-not-know";

test("wrong credentials of the administrator are told as what to do, without the credentials", async (t) => {
  const { buckets, told } = await driverGround(t, { rootSecret: wrongSecret });
  for (const asked of [
    buckets.createBucket({ name: "photos" }),
    buckets.grantBucketAccess({ bucketId: "photos", accountName: "one" }),
    buckets.revokeBucketAccess({ bucketId: "photos", accountName: "one" }),
  ]) {
    const no = await noFrom(asked);
    deepEqual([no.code, no.trouble], ["PERMISSION_DENIED", "refused"]);
    match(no.details, /SignatureDoesNotMatch: .*check the driver's root credentials and start it again/);
    ok(!no.details.includes(wrongSecret));
  }
  ok(!JSON.stringify(told).includes(wrongSecret));
});
