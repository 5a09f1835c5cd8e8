import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { GetObjectCommand, HeadBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { load } from "js-yaml";
import { secrets } from "../../src/api/gen/core.ts";
import { type BucketClass, type BucketContent, bucketClasses, bucketContents } from "../../src/api/gen/cosi.ts";
import type { Stored } from "../../src/api/object.ts";
import { told } from "../fixture/told.ts";
import { s3With, statusOf } from "./keys.ts";
import { type Answers, refused, tried } from "./keys-at-work.ts";
import {
  bound,
  bucketGround,
  classOf,
  condition,
  contentOf,
  newBucket,
  released,
  sceneOn,
  untilTold,
} from "./scene.ts";
import { usersOf } from "./store.ts";

const ground = await bucketGround();

const allowed = {
  rw: { put: 200, get: 200, list: 200, delete: 204 },
  ro: { put: 403, get: 200, list: 200, delete: 403 },
  wo: { put: 200, get: 403, list: 403, delete: 204 },
} as const satisfies Readonly<Record<string, Answers>>;

test("a bucket that Portway makes", async (t) => {
  const scene = await sceneOn(t, ground);
  const { admin, store, root } = scene;

  for (const accessMode of ["rw", "ro", "wo"] as const)
    await t.test(`keys of a class with accessMode ${accessMode} can do that and nothing else`, async (t) => {
      const bucketClass = await classOf(t, scene, { accessMode, releasePolicy: "Delete" });
      const bucket = await newBucket(scene, bucketClass);
      const keys = await bound(scene, bucket);
      await root.send(new PutObjectCommand({ Bucket: keys.bucketName, Key: "there", Body: "hello" }));
      deepEqual(await tried(s3With(t, keys), keys.bucketName), allowed[accessMode]);
      await released(scene, bucket);
    });

  await t.test("without an accessMode the driver's own default holds, and the prefix is written small", async (t) => {
    const bucket = await newBucket(scene, await classOf(t, scene, { releasePolicy: "Delete" }), {
      bucketPrefix: "YosemitePhotos-",
    });
    const keys = await bound(scene, bucket);
    equal(keys.bucketName, `yosemitephotos-${bucket.metadata.uid}`);
    await root.send(new PutObjectCommand({ Bucket: keys.bucketName, Key: "there", Body: "hello" }));
    deepEqual(await tried(s3With(t, keys), keys.bucketName), allowed.rw);
    await released(scene, bucket);
  });

  await t.test(
    "Delete: at the moment of Released the keys are void, and then bucket, user and Secrets are gone",
    async (t) => {
      const bucket = await newBucket(scene, await classOf(t, scene, { releasePolicy: "Delete" }));
      const keys = await bound(scene, bucket);
      const s3 = s3With(t, keys);
      await s3.send(new PutObjectCommand({ Bucket: keys.bucketName, Key: "there", Body: "hello" }));
      equal((await usersOf(store)).has(keys.accessKeyID), true);
      const content = (await contentOf(scene, bucket)) as Stored<BucketContent>;
      const going = untilReleased(content);
      const gone = released(scene, bucket);
      await going;
      deepEqual(await tried(s3, keys.bucketName), refused);
      await gone;
      equal(await statusOf(root.send(new HeadBucketCommand({ Bucket: keys.bucketName }))), 404);
      equal((await usersOf(store)).has(keys.accessKeyID), false);
      equal(await admin.find(bucketContents, content.metadata), undefined);
      for (const place of [content.spec.secretRef, { namespace: scene.namespace, name: bucket.spec.secretName }])
        equal(await admin.find(secrets, place as { namespace: string; name: string }), undefined);
      match((await untilTold(scene, bucket, "BucketDeleted")).message ?? "", /gone with everything in it/);
    },
  );

  await t.test(
    "Retain: the keys are void, the bucket stays, and the class in the event gets its bytes back",
    async (t) => {
      const parameters = { "cosi.io/secret-format": "flat,aws" };
      const bucketClass = await classOf(t, scene, { releasePolicy: "Retain", accessMode: "rw", parameters });
      const bucket = await newBucket(scene, bucketClass);
      const keys = await bound(scene, bucket);
      const object = { Bucket: keys.bucketName, Key: "there" };
      const s3 = s3With(t, keys);
      await s3.send(new PutObjectCommand({ ...object, Body: "kept" }));
      await released(scene, bucket);
      deepEqual(await tried(s3, keys.bucketName), refused);
      equal((await usersOf(store)).has(keys.accessKeyID), false);
      equal(await statusOf(root.send(new HeadBucketCommand({ Bucket: keys.bucketName }))), 200);

      const { message = "" } = await untilTold(scene, bucket, "BucketRetained");
      const again = load(message.slice(message.indexOf("{"))) as BucketClass;
      const made = await admin.create(bucketClasses, again);
      t.after(() => admin.delete(bucketClasses, { name: made.metadata.name, uid: made.metadata.uid }));
      deepEqual([made.accessMode, made.parameters, made.bucketIdentifier], ["rw", parameters, keys.bucketName]);
      const second = await newBucket(scene, made.metadata.name);
      const others = await bound(scene, second);
      const { Body } = await s3With(t, others).send(new GetObjectCommand(object));
      equal(await Body?.transformToString(), "kept");
      equal(await statusOf(s3.send(new GetObjectCommand(object))), 403, "the old keys stay void");
      await released(scene, second);
      equal(await statusOf(root.send(new GetObjectCommand(object))), 200, "and it is kept once more");
    },
  );
});

/** Answers with the first version that says so, and before anything else is done about it. */
async function untilReleased({ metadata: { name, resourceVersion } }: Stored<BucketContent>): Promise<void> {
  const query = { fieldSelector: `metadata.name=${name}`, resourceVersion };
  const isReleased = ({ object }: { readonly object: Stored<BucketContent> }) =>
    condition(object, "Released")?.status === "True";
  const events = await told(ground.admin, bucketContents, "", query, isReleased);
  equal(events.at(-1)?.object.status?.phase, "Released");
}
