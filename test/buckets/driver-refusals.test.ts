import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { versitygw } from "../../src/buckets/driver/store/versitygw.ts";
import { AccessMode } from "../../src/rpc/gen/buckets_pb.js";
import { noFrom } from "../driver/place.ts";
import { type DriverGround, driverGround, tenantOf } from "./driver-ground.ts";
import { codeOf, inventoryOf, statementsOf, strangersBucket } from "./driver-inventory.ts";
import { statusOf } from "./keys.ts";

const object = { Bucket: "photos", Key: "a" };
const written = { ...object, Body: "1" };

test("what was refused for its name can be given back by that name, or its Bucket would stay for ever", async (t) => {
  const { buckets } = await driverGround(t);
  for (const name of ["a.-b", "No/Bucket", "x".repeat(64)]) {
    equal((await noFrom(buckets.createBucket({ name, accountName: "one" }))).code, "INVALID_ARGUMENT", name);
    equal((await noFrom(buckets.grantBucketAccess({ bucketId: name, accountName: "one" }))).code, "INVALID_ARGUMENT");
    await buckets.revokeBucketAccess({ bucketName: name, accountName: "one" });
    await buckets.revokeBucketAccess({ bucketId: name, accountName: "one" });
    await buckets.deleteBucket({ name });
    await buckets.deleteBucket({ bucketId: name, purge: true });
  }
});

const nos: readonly (readonly [
  says: string,
  code: string,
  words: RegExp,
  ask: (g: DriverGround) => Promise<unknown>,
])[] = [
  [
    "a grant on a bucket that is not there",
    "NOT_FOUND",
    /bucket does not exist/,
    ({ buckets }) => buckets.grantBucketAccess({ bucketId: "nowhere", accountName: "one" }),
  ],
  [
    "a grant of another mode to the same account",
    "ALREADY_EXISTS",
    /has access mode rw on photos, not ro/,
    ({ buckets }) =>
      buckets.grantBucketAccess({ bucketId: "photos", accountName: "one", accessMode: AccessMode.READ_ONLY }),
  ],
  [
    "a mode that nobody knows",
    "INVALID_ARGUMENT",
    /no access mode 7/,
    ({ buckets }) => buckets.grantBucketAccess({ bucketId: "photos", accountName: "two", accessMode: 7 as AccessMode }),
  ],
  [
    "a parameter that means nothing, to a create",
    "INVALID_ARGUMENT",
    /no parameter "tier"/,
    ({ buckets }) => buckets.createBucket({ name: "letters", parameters: { tier: "gold" } }),
  ],
  [
    "a parameter that means nothing, to a grant",
    "INVALID_ARGUMENT",
    /no parameter "tier"/,
    ({ buckets }) =>
      buckets.grantBucketAccess({ bucketId: "photos", accountName: "two", parameters: { tier: "gold" } }),
  ],
  [
    "a quota",
    "INVALID_ARGUMENT",
    /has no quotas/,
    ({ buckets }) => buckets.createBucket({ name: "letters", quota: { maxBytes: 1n } }),
  ],
  [
    "the name of a stranger's bucket",
    "ALREADY_EXISTS",
    /BucketAlreadyExists/,
    ({ buckets }) => buckets.createBucket({ name: "theirs" }),
  ],
  [
    "a bucket that holds objects and is not to be purged",
    "FAILED_PRECONDITION",
    /BucketNotEmpty/,
    ({ buckets }) => buckets.deleteBucket({ bucketId: "photos" }),
  ],
  ["no name", "INVALID_ARGUMENT", /name is missing/, ({ buckets }) => buckets.createBucket({})],
  [
    "no bucket to grant on",
    "INVALID_ARGUMENT",
    /bucket_id is missing/,
    ({ buckets }) => buckets.grantBucketAccess({ accountName: "one" }),
  ],
  [
    "no account to grant to",
    "INVALID_ARGUMENT",
    /account_name is missing/,
    ({ buckets }) => buckets.grantBucketAccess({ bucketId: "photos" }),
  ],
  [
    "no bucket to revoke on",
    "INVALID_ARGUMENT",
    /bucket_id is missing/,
    ({ buckets }) => buckets.revokeBucketAccess({ accountName: "one" }),
  ],
  [
    "no account to revoke",
    "INVALID_ARGUMENT",
    /account_id is missing/,
    ({ buckets }) => buckets.revokeBucketAccess({ bucketId: "photos" }),
  ],
  ["no bucket to delete", "INVALID_ARGUMENT", /bucket_id is missing/, ({ buckets }) => buckets.deleteBucket({})],
];

test("what the driver refuses it refuses in words, and nothing has changed", async (t) => {
  const ground = await driverGround(t);
  await ground.buckets.createBucket({ name: "photos" });
  await strangersBucket(t, ground, "theirs");
  const { s3 } = await tenantOf(t, ground, "photos", "one");
  await s3.send(new PutObjectCommand(written));
  const before = await inventoryOf(ground);
  for (const [says, code, words, asked] of nos) {
    const no = await noFrom(asked(ground));
    equal(no.code, code, says);
    match(no.details, words, says);
    deepEqual(await inventoryOf(ground), before, says);
  }
  equal(await statusOf(s3.send(new GetObjectCommand(object))), 200);
});

test("an account by an id that the driver never gave reaches nobody", async (t) => {
  const ground = await driverGround(t);
  await ground.buckets.createBucket({ name: "photos" });
  const stranger = await strangersBucket(t, ground, "theirs");
  const before = await inventoryOf(ground);
  for (const accountId of ["STRANGER", ground.store.root.access, "PW", "../list-users", "PWaaaaaaaaaaaaaaaaaa"])
    await ground.buckets.revokeBucketAccess({ bucketId: "photos", accountId });
  deepEqual(await inventoryOf(ground), before);
  equal(await statusOf(stranger.send(new HeadBucketCommand({ Bucket: "theirs" }))), 200);
});

test("a bucket that was there before keeps what its owner says of it", async (t) => {
  const ground = await driverGround(t);
  const Bucket = "photos";
  await ground.root.send(new CreateBucketCommand({ Bucket }));
  const theirs = {
    Sid: "EverybodyReads",
    Effect: "Allow",
    Principal: "*",
    Action: "s3:GetObject",
    Resource: `arn:aws:s3:::${Bucket}/*`,
  };
  const policy = JSON.stringify({ Version: "2012-10-17", Statement: [theirs] });
  await ground.root.send(new PutBucketPolicyCommand({ Bucket, Policy: policy }));
  const { s3, accountId } = await tenantOf(t, ground, Bucket, "one");
  equal(await statusOf(s3.send(new PutObjectCommand(written))), 200);
  deepEqual(
    (await statementsOf(ground, Bucket)).map(({ Sid }) => Sid),
    ["EverybodyReads", "PortwayReadWrite"],
  );
  await ground.buckets.revokeBucketAccess({ bucketId: Bucket, accountId });
  deepEqual(await statementsOf(ground, Bucket), [theirs]);
});

test("a user that was deleted by hand keeps nobody else out", async (t) => {
  const ground = await driverGround(t);
  await ground.buckets.createBucket({ name: "photos" });
  const one = await tenantOf(t, ground, "photos", "one");
  await versitygw(ground.place).deleteUser(one.accountId);
  const other = await tenantOf(t, ground, "photos", "other");
  equal(await statusOf(other.s3.send(new PutObjectCommand(written))), 200);
  deepEqual(
    (await statementsOf(ground, "photos")).map(({ Principal }) => Principal.AWS),
    [[other.accountId]],
  );
  const again = await tenantOf(t, ground, "photos", "one");
  equal(await statusOf(again.s3.send(new GetObjectCommand(object))), 200);
});

test("a revoked key is dead even when the bucket's policy cannot be mended, and the driver says what is wrong", async (t) => {
  const ground = await driverGround(t);
  const Bucket = "photos";
  await ground.buckets.createBucket({ name: Bucket });
  const { s3, accountId } = await tenantOf(t, ground, Bucket, "one");
  const stranger = { accessKeyID: "STRANGER2", accessSecretKey: "of-a-stranger" };
  await versitygw(ground.place).ensureUser(stranger);
  const ours = await statementsOf(ground, Bucket);
  const theirs = {
    Effect: "Allow",
    Principal: { AWS: "STRANGER2" },
    Action: "s3:GetObject",
    Resource: "arn:aws:s3:::photos/*",
  };
  const mixed = JSON.stringify({ Version: "2012-10-17", Statement: [...ours, theirs] });
  await ground.root.send(new PutBucketPolicyCommand({ Bucket, Policy: mixed }));
  await versitygw(ground.place).deleteUser("STRANGER2");
  const no = await noFrom(ground.buckets.revokeBucketAccess({ bucketId: Bucket, accountId }));
  equal(no.code, "FAILED_PRECONDITION");
  match(no.details, /the policy of photos names a user that is gone: take that one out of it/);
  equal(await codeOf(s3.send(new GetObjectCommand(object))), "InvalidAccessKeyId");
});
