import { deepEqual, equal, notDeepEqual } from "node:assert/strict";
import { test } from "node:test";
import { DeleteBucketPolicyCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { AccessMode, Capability } from "../../src/rpc/gen/buckets_pb.js";
import { driverGround, keysIn, tenantOf } from "./driver-ground.ts";
import { codeOf, namesIn, statementsOf } from "./driver-inventory.ts";
import { s3With, statusOf } from "./keys.ts";
import { usersOf } from "./store.ts";

const object = { Bucket: "photos", Key: "a" };
const written = { ...object, Body: "1" };

test("the driver says who it is and what it can", async (t) => {
  const { buckets } = await driverGround(t);
  const { name, version, protocols, capabilities } = await buckets.getDriverInfo({});
  deepEqual([name, version, protocols], ["s3.test.portway.dev", "1", ["s3"]]);
  deepEqual(capabilities, [Capability.ACCESS_MODES, Capability.PURGE, Capability.GRANTS_ON_CREATE]);
});

test("a bucket asked for twice is one bucket, with its address as a tenant needs it", async (t) => {
  const ground = await driverGround(t);
  const made = await ground.buckets.createBucket({ name: "photos" });
  deepEqual(await ground.buckets.createBucket({ name: "photos" }), made);
  const { url, region, protocol, bucketName, pathStyle } = made.endpoint ?? {};
  deepEqual([url, region, protocol, bucketName, pathStyle], [ground.store.url, "us-east-1", "s3", "photos", true]);
  deepEqual([made.bucketId, made.accountId, made.credentials], ["photos", "", {}]);
  deepEqual(await namesIn(ground), ["photos"]);
});

test("many who ask for the same at once get the same", async (t) => {
  const ground = await driverGround(t);
  const asked = { name: "photos", accountName: "one" };
  const answers = await Promise.all(Array.from({ length: 8 }, () => ground.buckets.createBucket(asked)));
  for (const answer of answers) deepEqual(answer, answers[0]);
  deepEqual(await namesIn(ground), ["photos"]);
  deepEqual(
    (await statementsOf(ground, "photos")).map(({ Principal }) => Principal.AWS.length),
    [1],
  );
});

test("many accounts of one bucket, asked for at once, are all let in", async (t) => {
  const ground = await driverGround(t);
  await ground.buckets.createBucket({ name: "photos" });
  const names = Array.from({ length: 12 }, (_, index) => `account-${index}`);
  const tenants = await Promise.all(names.map((name) => tenantOf(t, ground, "photos", name)));
  equal(new Set(tenants.map(({ keys }) => keys.accessSecretKey)).size, names.length);
  const statuses = await Promise.all(tenants.map(({ s3 }) => statusOf(s3.send(new PutObjectCommand(written)))));
  deepEqual(
    statuses,
    names.map(() => 200),
  );
});

test("a grant that is repeated has the same answer, also from a driver that was started anew", async (t) => {
  const ground = await driverGround(t);
  await ground.buckets.createBucket({ name: "photos" });
  const asked = { bucketId: "photos", accountName: "one", accessMode: AccessMode.READ_WRITE };
  const granted = await ground.buckets.grantBucketAccess(asked);
  deepEqual(await ground.buckets.grantBucketAccess(asked), granted);
  await ground.restart();
  deepEqual(await ground.buckets.grantBucketAccess(asked), granted);
  equal(await statusOf(s3With(t, keysIn(granted)).send(new PutObjectCommand(written))), 200);
});

test("a bucket that is made with an account has the keys that a grant would answer", async (t) => {
  const { buckets } = await driverGround(t);
  const { accountId, credentials, bucketId, endpoint } = await buckets.createBucket({
    name: "photos",
    accountName: "one",
    accessMode: AccessMode.READ_ONLY,
  });
  const granted = await buckets.grantBucketAccess({ bucketId, accountName: "one", accessMode: AccessMode.READ_ONLY });
  deepEqual([granted.accountId, granted.credentials], [accountId, credentials]);
  const s3 = s3With(t, keysIn({ endpoint, credentials }));
  equal(await codeOf(s3.send(new GetObjectCommand(object))), "NoSuchKey");
  equal(await statusOf(s3.send(new PutObjectCommand(written))), 403);
});

test("a user that no policy names may do nothing", async (t) => {
  const ground = await driverGround(t);
  await ground.buckets.createBucket({ name: "photos" });
  const { s3 } = await tenantOf(t, ground, "photos", "one");
  equal(await statusOf(s3.send(new PutObjectCommand(written))), 200);
  await ground.root.send(new DeleteBucketPolicyCommand({ Bucket: "photos" }));
  equal(await codeOf(s3.send(new PutObjectCommand(written))), "AccessDenied");
  equal(await codeOf(s3.send(new GetObjectCommand(object))), "AccessDenied");
});

test("the first request after a revoke is refused, and the other account of the bucket goes on", async (t) => {
  const ground = await driverGround(t);
  await ground.buckets.createBucket({ name: "photos" });
  const [one, other] = [await tenantOf(t, ground, "photos", "one"), await tenantOf(t, ground, "photos", "other", "ro")];
  notDeepEqual(one.keys, other.keys);
  equal(await statusOf(one.s3.send(new PutObjectCommand(written))), 200);

  const revoked = { bucketId: "photos", accountId: one.accountId };
  await ground.buckets.revokeBucketAccess(revoked);
  equal(await codeOf(one.s3.send(new GetObjectCommand(object))), "InvalidAccessKeyId");
  equal(await statusOf(one.s3.send(new GetObjectCommand(object))), 403);
  equal(await statusOf(other.s3.send(new GetObjectCommand(object))), 200);
  await ground.buckets.revokeBucketAccess(revoked);
  equal(await statusOf(other.s3.send(new GetObjectCommand(object))), 200);
  deepEqual(
    (await statementsOf(ground, "photos")).map(({ Principal }) => Principal.AWS),
    [[other.accountId]],
  );

  await ground.buckets.revokeBucketAccess({ bucketId: "photos", accountId: other.accountId });
  deepEqual(await statementsOf(ground, "photos"), []);
  deepEqual([...(await usersOf(ground.store))], []);
});

test("whoever has lost every answer revokes the account and deletes the bucket by their names", async (t) => {
  const ground = await driverGround(t);
  const { credentials, endpoint } = await ground.buckets.createBucket({ name: "photos", accountName: "one" });
  await ground.restart();
  await ground.buckets.revokeBucketAccess({ bucketName: "photos", accountName: "one" });
  const s3 = s3With(t, keysIn({ credentials, endpoint }));
  equal(await codeOf(s3.send(new GetObjectCommand(object))), "InvalidAccessKeyId");
  await ground.buckets.deleteBucket({ name: "photos" });
  deepEqual(await namesIn(ground), []);
  await ground.buckets.revokeBucketAccess({ bucketName: "photos", accountName: "one" });
  await ground.buckets.deleteBucket({ name: "photos" });
});

test("a store that remembers deleted users refuses a revoked key all the same", async (t) => {
  const ground = await driverGround(t, { remembersUsers: true });
  await ground.buckets.createBucket({ name: "photos" });
  for (const name of Array.from({ length: 20 }, (_, index) => `account-${index}`)) {
    await tenantOf(t, ground, "photos", name);
    const { s3, accountId } = await tenantOf(t, ground, "photos", name);
    equal(await statusOf(s3.send(new PutObjectCommand(written))), 200, name);
    await ground.buckets.revokeBucketAccess({ bucketId: "photos", accountId });
    for (const _ of [1, 2, 3]) equal(await statusOf(s3.send(new GetObjectCommand(object))), 403, name);
  }
});
