import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeleteObjectTaggingCommand,
  GetBucketAclCommand,
  GetBucketLocationCommand,
  GetBucketPolicyCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  ListPartsCommand,
  PutBucketAclCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { driverGround, type Mode, modes, tenantOf } from "./driver-ground.ts";
import { statusOf } from "./keys.ts";

const Bucket = "photos";

/** What the administrator has put there before each call. */
interface Laid {
  readonly VersionId: string;
  readonly UploadId: string;
  readonly ETag: string;
}

const object = { Bucket, Key: "a" };
const upload = ({ UploadId }: Laid) => ({ Bucket, Key: "big", UploadId });

type Call = (s3: S3Client, laid: Laid) => Promise<{ $metadata: { httpStatusCode?: number } }>;
type Row = readonly [says: string, call: Call, who: Readonly<Record<Mode, number>>];

const everybody = { ro: 200, wo: 200, rw: 200 } as const;
const readers = { ro: 200, wo: 403, rw: 200 } as const;
const writers = { ro: 403, wo: 200, rw: 200 } as const;
const onlyBoth = { ro: 403, wo: 403, rw: 200 } as const;
const nobody = { ro: 403, wo: 403, rw: 403 } as const;
const gone = (who: Readonly<Record<Mode, number>>) =>
  Object.fromEntries(Object.entries(who).map(([mode, code]) => [mode, code === 200 ? 204 : code])) as typeof who;

const rows: readonly Row[] = [
  ["reads an object", (s3) => s3.send(new GetObjectCommand(object)), readers],
  ["looks at an object", (s3) => s3.send(new HeadObjectCommand(object)), readers],
  ["reads a version", (s3, { VersionId }) => s3.send(new GetObjectCommand({ ...object, VersionId })), readers],
  [
    "reads attributes",
    (s3) => s3.send(new GetObjectAttributesCommand({ ...object, ObjectAttributes: ["ETag"] })),
    readers,
  ],
  ["reads tags", (s3) => s3.send(new GetObjectTaggingCommand(object)), readers],
  ["lists objects", (s3) => s3.send(new ListObjectsV2Command({ Bucket })), readers],
  ["lists versions", (s3) => s3.send(new ListObjectVersionsCommand({ Bucket })), readers],
  ["asks where the bucket is", (s3) => s3.send(new GetBucketLocationCommand({ Bucket })), everybody],

  ["writes an object", (s3) => s3.send(new PutObjectCommand({ ...object, Body: "2" })), writers],
  ["copies an object", (s3) => s3.send(new CopyObjectCommand({ Bucket, Key: "c", CopySource: "photos/a" })), onlyBoth],
  ["begins an upload", (s3) => s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "other" })), writers],
  [
    "uploads a part",
    (s3, laid) => s3.send(new UploadPartCommand({ ...upload(laid), PartNumber: 2, Body: "y" })),
    writers,
  ],
  ["lists parts", (s3, laid) => s3.send(new ListPartsCommand(upload(laid))), writers],
  ["ends an upload", (s3, laid) => s3.send(new CompleteMultipartUploadCommand(completed(laid))), writers],
  ["gives an upload up", (s3, laid) => s3.send(new AbortMultipartUploadCommand(upload(laid))), gone(writers)],
  ["lists unfinished uploads", (s3) => s3.send(new ListMultipartUploadsCommand({ Bucket })), onlyBoth],
  ["writes tags", (s3) => s3.send(new PutObjectTaggingCommand({ ...object, Tagging: { TagSet: [] } })), onlyBoth],
  ["removes tags", (s3) => s3.send(new DeleteObjectTaggingCommand(object)), gone(onlyBoth)],
  ["deletes an object", (s3) => s3.send(new DeleteObjectCommand(object)), gone(writers)],
  [
    "deletes a version",
    (s3, { VersionId }) => s3.send(new DeleteObjectCommand({ ...object, VersionId })),
    gone(onlyBoth),
  ],

  ["reads the policy", (s3) => s3.send(new GetBucketPolicyCommand({ Bucket })), nobody],
  ["writes the policy", (s3) => s3.send(new PutBucketPolicyCommand({ Bucket, Policy: "{}" })), nobody],
  ["deletes the policy", (s3) => s3.send(new DeleteBucketPolicyCommand({ Bucket })), nobody],
  ["reads the bucket's list of rights", (s3) => s3.send(new GetBucketAclCommand({ Bucket })), nobody],
  ["opens the bucket to all", (s3) => s3.send(new PutBucketAclCommand({ Bucket, ACL: "public-read" })), nobody],
  ["opens an object to all", (s3) => s3.send(new PutObjectAclCommand({ ...object, ACL: "public-read" })), nobody],
  [
    "ends versioning",
    (s3) => s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Suspended" } })),
    nobody,
  ],
  ["deletes the bucket", (s3) => s3.send(new DeleteBucketCommand({ Bucket })), nobody],
  ["makes a bucket of its own", (s3) => s3.send(new CreateBucketCommand({ Bucket: "mine" })), nobody],
];

function completed(laid: Laid) {
  return { ...upload(laid), MultipartUpload: { Parts: [{ PartNumber: 1, ETag: laid.ETag }] } };
}

async function laidBy(root: S3Client): Promise<Laid> {
  const { VersionId = "" } = await root.send(new PutObjectCommand({ ...object, Body: "1" }));
  const { UploadId = "" } = await root.send(new CreateMultipartUploadCommand({ Bucket, Key: "big" }));
  const part = { Bucket, Key: "big", UploadId, PartNumber: 1, Body: "x" };
  const { ETag = "" } = await root.send(new UploadPartCommand(part));
  return { VersionId, UploadId, ETag };
}

for (const mode of Object.keys(modes) as Mode[]) {
  test(`keys that are ${mode} may do on a real store what that says, and nothing else`, async (t) => {
    const ground = await driverGround(t);
    const { root, buckets } = ground;
    await buckets.createBucket({ name: Bucket });
    await root.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
    const { s3 } = await tenantOf(t, ground, Bucket, "somebody", mode);
    const found: [string, number][] = [];
    for (const [says, call] of rows) found.push([says, await statusOf(call(s3, await laidBy(root)))]);
    deepEqual(
      found,
      rows.map(([says, , who]) => [says, who[mode]]),
    );
  });
}

test("a batch of deletions is refused object by object to keys that are ro", async (t) => {
  const ground = await driverGround(t);
  await ground.buckets.createBucket({ name: Bucket });
  await ground.root.send(new PutObjectCommand({ ...object, Body: "1" }));
  const { s3 } = await tenantOf(t, ground, Bucket, "somebody", "ro");
  const { Errors, Deleted } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: "a" }] } }));
  deepEqual([Errors?.map(({ Code }) => Code), Deleted ?? []], [["AccessDenied"], []]);
  equal(await statusOf(s3.send(new GetObjectCommand(object))), 200);
});

test("keys reach no other bucket, whatever they may do on their own", async (t) => {
  const ground = await driverGround(t);
  for (const name of [Bucket, "letters"]) await ground.buckets.createBucket({ name });
  await ground.root.send(new PutObjectCommand({ ...object, Body: "1" }));
  const { s3 } = await tenantOf(t, ground, "letters", "somebody");
  equal(await statusOf(s3.send(new PutObjectCommand({ Bucket: "letters", Key: "a", Body: "1" }))), 200);
  const found: [string, number][] = [];
  for (const [says, call] of rows.filter(([, , { rw }]) => rw !== 403))
    found.push([says, await statusOf(call(s3, await laidBy(ground.root)))]);
  deepEqual(
    found,
    found.map(([says]) => [says, 403]),
  );
});
