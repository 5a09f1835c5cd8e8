import { deepEqual, equal, match } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { type Secret, secrets } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import { newNamespace } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { s3With, statusOf } from "./keys.ts";
import { soonChecked } from "./next-check.ts";
import {
  aName,
  bound,
  bucketGround,
  condition,
  contentOf,
  newBucket,
  released,
  rootOf,
  untilBucket,
  untilTold,
} from "./scene.ts";
import { startStore, type TestStore } from "./store.ts";
import { bucketController, dropClass, newClass } from "./world.ts";

const ground = await bucketGround();
const { admin } = ground;

test("a bucket whose keys an administrator has written down", async (t) => {
  const store = await startStore(t);
  const controller = await bucketController(t, ground.cluster);
  await controller.start();
  const scene = {
    ...ground,
    namespace: await newNamespace(t, admin),
    protectedNamespace: await newNamespace(t, admin),
  };

  await t.test("its Secret is copied without what lies beside the keys, and is never touched", async (t) => {
    const Bucket = aName();
    await rootOf(t, store).send(new CreateBucketCommand({ Bucket }));
    await rootOf(t, store).send(new PutObjectCommand({ Bucket, Key: "there", Body: "hello" }));
    const note = { "note-to-myself": Buffer.from("not for everybody").toString("base64") };
    const source = await newSource(scene.protectedNamespace, { ...keysTo(store, Bucket), ...note });
    const bucket = await newBucket(scene, await staticClass(t, source), { bucketPrefix: "photos-" });
    const keys = await bound(scene, bucket);
    const copy = await admin.get(secrets, { namespace: scene.namespace, name: bucket.spec.secretName });
    deepEqual(copy.data, keysTo(store, Bucket));
    const s3 = s3With(t, keys);
    equal(await statusOf(s3.send(new GetObjectCommand({ Bucket, Key: "there" }))), 200);
    const content = await contentOf(scene, bucket);
    deepEqual(
      [content?.spec.mode, content?.spec.provisioner, content?.spec.releasePolicy, content?.metadata.labels],
      ["Static", undefined, "Retain", undefined],
    );
    const { status = {} } = await untilBucket(scene, bucket, "it is bound", ({ status }) => status?.phase === "Bound");
    equal(condition({ status }, "PrefixIgnored")?.status, "True");
    equal(condition({ status }, "DriverAvailable"), undefined, "there is no driver");

    await released(scene, bucket);
    equal(await admin.find(secrets, { namespace: scene.namespace, name: bucket.spec.secretName }), undefined);
    deepEqual(await admin.get(secrets, source.metadata), source, "as it was, in every member");
    equal(
      await statusOf(s3.send(new GetObjectCommand({ Bucket, Key: "there" }))),
      200,
      "nobody has taken the keys back",
    );
  });

  await t.test(
    "one that is absent, and then incomplete, is told by what is missing, and binds when it is repaired",
    async (t) => {
      const Bucket = aName();
      const name = aName();
      const place = { namespace: scene.protectedNamespace, name };
      const bucket = await newBucket(scene, await staticClass(t, { metadata: place }));
      const absent = await untilBucket(scene, bucket, "it is told", ({ status }) =>
        / is not there/.test(status?.message ?? ""),
      );
      deepEqual(
        [absent.status?.phase, condition(absent, "BucketReady")?.reason, condition(absent, "SecretPublished")?.status],
        ["Failed", "StaticSecretIncomplete", "False"],
      );
      match(absent.status?.message ?? "", /Ask whoever wrote the class to complete the Secret/);
      await untilTold(scene, bucket, "StaticSecretIncomplete");
      const { bucketName: _, accessSecretKey: __, ...half } = keysTo(store, Bucket);
      const source = await newSource(place.namespace, half, name);
      await untilBucket(scene, bucket, "the missing keys are named", ({ status }) =>
        /lacks bucketName, accessSecretKey/.test(status?.message ?? ""),
      );
      equal(await admin.find(secrets, { namespace: scene.namespace, name: bucket.spec.secretName }), undefined);
      await admin.update(secrets, { ...source, data: keysTo(store, Bucket) });
      equal((await bound(scene, bucket)).bucketName, Bucket);
      await released(scene, bucket);
    },
  );

  await t.test("what the administrator changes reaches the copies when they are looked at again", async (t) => {
    const source = await newSource(scene.protectedNamespace, keysTo(store, "before"));
    await controller.stopped();
    const bucket = await soonChecked(scene, await staticClass(t, source));
    await controller.start();
    equal((await bound(scene, bucket)).bucketName, "before");
    await admin.update(secrets, { ...source, data: keysTo(store, "after") });
    await controller.stopped();
    await controller.start();
    const place = { namespace: scene.namespace, name: bucket.spec.secretName };
    await until(
      "the copy is the new one",
      async () => (await admin.get(secrets, place)).data?.["bucketName"] === base64("after"),
    );
    deepEqual((await admin.get(secrets, place)).data, keysTo(store, "after"));
    await released(scene, bucket);
  });

  await t.test("the class may be gone before its Bucket is", async (t) => {
    const source = await newSource(scene.protectedNamespace, keysTo(store, "kept"));
    const name = await staticClass(t, source);
    const bucket = await newBucket(scene, name);
    await bound(scene, bucket);
    await dropClass(admin, name);
    await released(scene, bucket);
    equal((await admin.get(secrets, source.metadata)).metadata.resourceVersion, source.metadata.resourceVersion);
  });
});

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** As an administrator writes it by hand. */
function keysTo({ url, region, root }: TestStore, bucketName: string): Readonly<Record<string, string>> {
  const keys = { endpoint: url, region, bucketName, accessKeyID: root.access, accessSecretKey: root.secret };
  return Object.fromEntries(Object.entries(keys).map(([key, text]) => [key, base64(text)]));
}

async function newSource(namespace: string, data: Secret["data"] & object, name = aName()): Promise<Stored<Secret>> {
  return await admin.create(secrets, { metadata: { namespace, name }, data });
}

async function staticClass(t: TestContext, { metadata: { namespace = "", name = "" } }: Pick<Secret, "metadata">) {
  return (await newClass(t, admin, { secretRef: { namespace, name } })).metadata.name;
}
