import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { noFrom } from "../driver/place.ts";
import { until } from "../fixture/portway.ts";
import { type DriverGround, driverGround, tenantOf } from "./driver-ground.ts";
import { namesIn } from "./driver-inventory.ts";
import { statusOf } from "./keys.ts";

const Bucket = "photos";
/** More than one page of S3, which has a thousand. */
const manyObjects = 1030;
/** What people call their files; each of them has broken a client somewhere. */
const oddKeys = [
  "a b+c%20d",
  "year/2024/ä ö ü.jpg",
  "<tag> & \"quote\" 'it'.xml",
  "~tilde!(1)*",
  "=?&#fragment",
  "tab\there",
  "folder/",
  "日本/🙂",
];

async function inBatches(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

async function withVersions({ root, buckets }: DriverGround): Promise<void> {
  await buckets.createBucket({ name: Bucket });
  await root.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
}

async function fill({ root }: DriverGround, count: number): Promise<void> {
  await inBatches(count, (index) => root.send(new PutObjectCommand({ Bucket, Key: `many/${index}`, Body: "x" })));
}

test("a bucket with more than a page of objects, versions, marks and unfinished uploads is gone after a purge", async (t) => {
  const ground = await driverGround(t);
  await withVersions(ground);
  const { root, buckets } = ground;
  await fill(ground, manyObjects);
  // A folder has no content of its own on this store.
  for (const Key of oddKeys)
    for (const text of ["first", "second"])
      await root.send(new PutObjectCommand({ Bucket, Key, Body: Key.endsWith("/") ? new Uint8Array() : text }));
  for (const Key of [...oddKeys, "many/1", "many/2"]) await root.send(new DeleteObjectCommand({ Bucket, Key }));
  for (const Key of ["many/1", "begun", "begun", ...oddKeys.filter((key) => !key.endsWith("/"))]) {
    const { UploadId } = await root.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    await root.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: "part" }));
  }
  equal((await noFrom(buckets.deleteBucket({ bucketId: Bucket }, { timeoutSeconds: 60 }))).code, "FAILED_PRECONDITION");
  await buckets.deleteBucket({ bucketId: Bucket, purge: true }, { timeoutSeconds: 300 });
  deepEqual(await namesIn(ground), []);
  await buckets.deleteBucket({ bucketId: Bucket, purge: true });

  await withVersions(ground);
  const { Versions, DeleteMarkers } = await root.send(new ListObjectVersionsCommand({ Bucket }));
  deepEqual([Versions, DeleteMarkers], [undefined, undefined], "a bucket of the same name begins empty");
});

test("what is only marked as deleted keeps a bucket from being deleted without a purge", async (t) => {
  const ground = await driverGround(t);
  await withVersions(ground);
  await ground.root.send(new PutObjectCommand({ Bucket, Key: "a", Body: "1" }));
  await ground.root.send(new DeleteObjectCommand({ Bucket, Key: "a" }));
  equal((await noFrom(ground.buckets.deleteBucket({ bucketId: Bucket }))).code, "FAILED_PRECONDITION");
  await ground.buckets.deleteBucket({ bucketId: Bucket, purge: true });
  deepEqual(await namesIn(ground), []);
});

test("a bucket that is not to be purged keeps its objects, and its tenants", async (t) => {
  const ground = await driverGround(t);
  await ground.buckets.createBucket({ name: Bucket });
  const { s3 } = await tenantOf(t, ground, Bucket, "one");
  await s3.send(new PutObjectCommand({ Bucket, Key: "a", Body: "kept" }));
  equal((await noFrom(ground.buckets.deleteBucket({ bucketId: Bucket }))).code, "FAILED_PRECONDITION");
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "a" }));
  equal(await Body?.transformToString(), "kept");
});

test("a purge whose caller has gone takes nothing more, and the next one goes on", async (t) => {
  const ground = await driverGround(t);
  await ground.buckets.createBucket({ name: Bucket });
  await fill(ground, 3);
  ground.store.freeze();
  const lost = noFrom(ground.buckets.deleteBucket({ bucketId: Bucket, purge: true }, { timeoutSeconds: 0.5 }));
  equal((await lost).code, "DEADLINE_EXCEEDED");
  ground.store.thaw();
  await until("the driver has noticed", () => ground.told.some(({ code }) => code === "CANCELLED"));
  for (const index of [0, 1, 2])
    equal(await statusOf(ground.root.send(new HeadObjectCommand({ Bucket, Key: `many/${index}` }))), 200);
  await ground.buckets.deleteBucket({ bucketId: Bucket, purge: true });
  deepEqual(await namesIn(ground), []);
});
