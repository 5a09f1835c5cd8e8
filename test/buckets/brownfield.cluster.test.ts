import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { CreateBucketCommand, GetObjectCommand, HeadBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { s3With, statusOf } from "./keys.ts";
import { refused, tried } from "./keys-at-work.ts";
import {
  aName,
  bound,
  bucketGround,
  classOf,
  condition,
  contentOf,
  newBucket,
  released,
  sceneOn,
  untilBucket,
  untilTold,
} from "./scene.ts";
import { usersOf } from "./store.ts";

const ground = await bucketGround();

test("a bucket that was there before", async (t) => {
  const scene = await sceneOn(t, ground);
  const { root, store } = scene;
  const makeBucket = async (Bucket: string) => {
    await root.send(new CreateBucketCommand({ Bucket }));
    await root.send(new PutObjectCommand({ Bucket, Key: "there", Body: "from before" }));
    return Bucket;
  };

  await t.test(
    "many Buckets of one class share it with keys of their own, and one that goes leaves the others",
    async (t) => {
      const bucketIdentifier = await makeBucket(aName());
      const reads = await classOf(t, scene, { bucketIdentifier, accessMode: "ro" });
      const writes = await classOf(t, scene, { bucketIdentifier, accessMode: "rw" });
      const [one, two, writer] = [
        await newBucket(scene, reads),
        await newBucket(scene, reads),
        await newBucket(scene, writes),
      ];
      const [first, second, third] = [await bound(scene, one), await bound(scene, two), await bound(scene, writer)];
      deepEqual(
        [first, second, third].map(({ bucketName }) => bucketName),
        Array(3).fill(bucketIdentifier),
      );
      equal(new Set([first, second, third].map(({ accessKeyID }) => accessKeyID)).size, 3);
      deepEqual(await tried(s3With(t, second), bucketIdentifier), { put: 403, get: 200, list: 200, delete: 403 });
      deepEqual(await tried(s3With(t, third), bucketIdentifier), { put: 200, get: 200, list: 200, delete: 204 });

      await released(scene, one);
      deepEqual(await tried(s3With(t, first), bucketIdentifier), refused);
      deepEqual(await tried(s3With(t, second), bucketIdentifier), { put: 403, get: 200, list: 200, delete: 403 });
      deepEqual(await tried(s3With(t, third), bucketIdentifier), { put: 200, get: 200, list: 200, delete: 204 });

      await released(scene, two);
      await released(scene, writer);
      const left = await usersOf(store);
      deepEqual(
        [first, second, third].filter(({ accessKeyID }) => left.has(accessKeyID)),
        [],
      );
      equal(await statusOf(root.send(new GetObjectCommand({ Bucket: bucketIdentifier, Key: "there" }))), 200);
      match((await untilTold(scene, one, "BucketRetained")).message ?? "", /the bucket is kept/);
    },
  );

  await t.test("a prefix is ignored, and a condition says so", async (t) => {
    const bucketIdentifier = await makeBucket(aName());
    const bucket = await newBucket(scene, await classOf(t, scene, { bucketIdentifier }), { bucketPrefix: "photos-" });
    equal((await bound(scene, bucket)).bucketName, bucketIdentifier);
    const { status } = await untilBucket(scene, bucket, "it is bound", ({ status }) => status?.phase === "Bound");
    equal(condition({ status: status ?? {} }, "PrefixIgnored")?.status, "True");
    match(condition({ status: status ?? {} }, "PrefixIgnored")?.message ?? "", /bucketPrefix is ignored/);
    await released(scene, bucket);
  });

  await t.test("one that is not there is told in the driver's words, and binds when it is there", async (t) => {
    const bucketIdentifier = aName();
    const bucket = await newBucket(scene, await classOf(t, scene, { bucketIdentifier, accessMode: "rw" }));
    const failed = await untilBucket(scene, bucket, "it has failed", ({ status }) => status?.phase === "Failed");
    match(
      failed.status?.message ?? "",
      new RegExp(`The driver says: GrantBucketAccess: .*${bucketIdentifier}.*NOT_FOUND`),
    );
    const refusal = condition((await contentOf(scene, bucket)) ?? {}, "AccessGranted");
    deepEqual([refusal?.status, refusal?.reason], ["False", "DriverRefused"]);
    await untilTold(scene, bucket, "DriverRefused");
    await makeBucket(bucketIdentifier);
    // It would be tried again in ten minutes; a driver that comes back is asked at once.
    await scene.driver.driver.killed();
    await scene.driver.driver.start();
    const keys = await bound(scene, bucket);
    equal(await statusOf(s3With(t, keys).send(new GetObjectCommand({ Bucket: bucketIdentifier, Key: "there" }))), 200);
    await released(scene, bucket);
  });

  await t.test("one that never comes is given up at once when its Bucket is deleted", async (t) => {
    const bucketIdentifier = aName();
    const bucket = await newBucket(scene, await classOf(t, scene, { bucketIdentifier }));
    await untilBucket(scene, bucket, "it has failed", ({ status }) => status?.phase === "Failed");
    await released(scene, bucket);
    equal(await statusOf(root.send(new HeadBucketCommand({ Bucket: bucketIdentifier }))), 404);
  });
});
