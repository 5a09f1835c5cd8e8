import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { GetObjectCommand, HeadBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { namespaces, secrets } from "../../src/api/gen/core.ts";
import { type BucketContent, bucketContents, buckets } from "../../src/api/gen/cosi.ts";
import type { Stored } from "../../src/api/object.ts";
import { keyOf } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { s3With, statusOf } from "./keys.ts";
import { refused, tried } from "./keys-at-work.ts";
import { aName, bound, bucketGround, classOf, contentOf, newBucket, released, sceneOn, untilBucket } from "./scene.ts";
import { usersOf } from "./store.ts";
import { dropClass } from "./world.ts";

const ground = await bucketGround();

test("whatever is deleted, and in whatever way, nothing is left behind", async (t) => {
  const scene = await sceneOn(t, ground);
  const { admin, namespace, controller, store, root } = scene;
  const bucketClass = await classOf(t, scene, { releasePolicy: "Delete" });
  const secretsOf = (content: Stored<BucketContent> | undefined, name: string) => [
    content?.spec.secretRef ?? { namespace: "", name: "" },
    { namespace, name },
  ];
  const untilNone = async (places: readonly { readonly namespace: string; readonly name: string }[]) => {
    for (const place of places)
      await until(`the Secret ${place.name} is gone`, async () => (await admin.find(secrets, place)) === undefined);
  };
  const untilVoid = async (bucketName: string, accessKeyID: string) => {
    equal(await statusOf(root.send(new HeadBucketCommand({ Bucket: bucketName }))), 404);
    equal((await usersOf(store)).has(accessKeyID), false);
  };

  await t.test("a Bucket whose dependents are to be left alone leaves no Secret all the same", async (t) => {
    const bucket = await newBucket(scene, bucketClass);
    const keys = await bound(scene, bucket);
    const places = secretsOf(await contentOf(scene, bucket), bucket.spec.secretName);
    await ground.cluster.kubectl([
      "delete",
      "bucket.cosi.io",
      bucket.metadata.name,
      "-n",
      namespace,
      "--cascade=orphan",
    ]);
    await untilNone(places);
    await untilVoid(keys.bucketName, keys.accessKeyID);
    equal(await statusOf(s3With(t, keys).send(new HeadBucketCommand({ Bucket: keys.bucketName }))), 403);
  });

  await t.test("a content whose dependents are to be left alone leaves no Secret either", async () => {
    const bucket = await newBucket(scene, bucketClass);
    const keys = await bound(scene, bucket);
    const content = (await contentOf(scene, bucket)) as Stored<BucketContent>;
    const places = secretsOf(content, bucket.spec.secretName);
    await ground.cluster.kubectl([
      "delete",
      "bucketcontent",
      content.metadata.name,
      "--cascade=orphan",
      "--wait=false",
    ]);
    await until(
      "its Secret has no owner",
      async () =>
        (await admin.get(secrets, places[0] ?? { namespace, name: "" })).metadata.ownerReferences === undefined,
    );
    await released(scene, bucket);
    await untilNone(places);
    await untilVoid(keys.bucketName, keys.accessKeyID);
  });

  await t.test("a Bucket that is deleted in the foreground goes too", async () => {
    const bucket = await newBucket(scene, bucketClass);
    const keys = await bound(scene, bucket);
    const places = secretsOf(await contentOf(scene, bucket), bucket.spec.secretName);
    await ground.cluster.kubectl([
      "delete",
      "bucket.cosi.io",
      bucket.metadata.name,
      "-n",
      namespace,
      "--cascade=foreground",
    ]);
    await untilNone(places);
    await untilVoid(keys.bucketName, keys.accessKeyID);
  });

  await t.test("the garbage collector takes the Secret of a Bucket that is torn out by hand", async () => {
    const bucket = await newBucket(scene, bucketClass);
    await bound(scene, bucket);
    await controller.stopped();
    const place = { namespace, name: bucket.spec.secretName };
    const [owner] = (await admin.get(secrets, place)).metadata.ownerReferences ?? [];
    deepEqual(owner, {
      apiVersion: "cosi.io/v1alpha1",
      kind: "Bucket",
      name: bucket.metadata.name,
      uid: bucket.metadata.uid,
      controller: true,
      blockOwnerDeletion: false,
    });
    await admin.delete(buckets, keyOf(bucket));
    await admin.merge(buckets, keyOf(bucket), { metadata: { finalizers: null } });
    await untilNone([place]);
    await controller.start();
    // Its content is still there, and leads to the rest.
    await until("the content is gone", async () => (await contentOf(scene, bucket)) === undefined);
    await untilVoid(bucket.metadata.uid, "");
  });

  await t.test("the garbage collector takes the driver's Secret of a content that is torn out by hand", async () => {
    const bucket = await newBucket(scene, bucketClass);
    await bound(scene, bucket);
    const content = (await contentOf(scene, bucket)) as Stored<BucketContent>;
    const place = content.spec.secretRef ?? { namespace: "", name: "" };
    const [owner] = (await admin.get(secrets, place)).metadata.ownerReferences ?? [];
    deepEqual([owner?.kind, owner?.uid, owner?.controller], ["BucketContent", content.metadata.uid, true]);
    await scene.driver.sidecar.stopped();
    await admin.delete(bucketContents, keyOf(content));
    await admin.merge(bucketContents, keyOf(content), { metadata: { finalizers: null } });
    await untilNone([place]);
    await scene.driver.sidecar.start();
    const lost = await untilBucket(scene, bucket, "it is told", ({ status }) => status?.phase === "Failed");
    match(lost.status?.message ?? "", /The BucketContent \S+ is gone, and its keys with it. Delete the Bucket/);
    equal(await contentOf(scene, bucket), undefined, "another content would be another bucket");
    await released(scene, bucket);
    await untilNone([{ namespace, name: bucket.spec.secretName }]);
  });

  await t.test("a content that somebody deletes serves its Bucket until that one goes", async (t) => {
    const bucket = await newBucket(scene, bucketClass);
    const keys = await bound(scene, bucket);
    const content = (await contentOf(scene, bucket)) as Stored<BucketContent>;
    await admin.delete(bucketContents, keyOf(content));
    const s3 = s3With(t, keys);
    await s3.send(new PutObjectCommand({ Bucket: keys.bucketName, Key: "there", Body: "hello" }));
    // Both processes have seen that it is leaving when they have served another Bucket after it.
    await bound(scene, await newBucket(scene, bucketClass));
    equal(await statusOf(s3.send(new GetObjectCommand({ Bucket: keys.bucketName, Key: "there" }))), 200);
    equal((await admin.get(buckets, keyOf(bucket))).status?.phase, "Bound");
    await released(scene, bucket);
    deepEqual(await tried(s3, keys.bucketName), refused);
    await untilVoid(keys.bucketName, keys.accessKeyID);
  });

  await t.test("a class may go before its Buckets do: what it said is written down", async () => {
    const name = await classOf(t, scene, { releasePolicy: "Delete" });
    const bucket = await newBucket(scene, name);
    const keys = await bound(scene, bucket);
    await dropClass(admin, name);
    await released(scene, bucket);
    await untilVoid(keys.bucketName, keys.accessKeyID);
  });

  await t.test("a namespace that goes takes its Buckets with it, and their buckets and keys", async () => {
    const theirs = aName();
    const { uid } = (await admin.create(namespaces, { metadata: { name: theirs } })).metadata;
    const place = { ...scene, namespace: theirs };
    const both = [await newBucket(place, bucketClass), await newBucket(place, bucketClass)];
    const keys = [];
    for (const bucket of both) keys.push(await bound(place, bucket));
    const contents = await Promise.all(both.map((bucket) => contentOf(scene, bucket)));
    await admin.delete(namespaces, { name: theirs, uid });
    await until("the namespace is gone", async () => (await admin.find(namespaces, { name: theirs })) === undefined);
    for (const { bucketName, accessKeyID } of keys) await untilVoid(bucketName, accessKeyID);
    await untilNone(contents.flatMap((content) => content?.spec.secretRef ?? []));
  });

  await t.test("a Bucket that is deleted before it has anything goes at once", async () => {
    const bucket = await newBucket(scene, bucketClass);
    await released(scene, bucket);
    await until("the content is gone", async () => (await contentOf(scene, bucket)) === undefined);
    equal(await statusOf(root.send(new HeadBucketCommand({ Bucket: bucket.metadata.uid }))), 404);
  });
});
