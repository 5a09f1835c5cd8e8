import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { test } from "node:test";
import { HeadBucketCommand, ListBucketsCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { sourceSecretName } from "../../src/api/buckets/names.ts";
import { secrets } from "../../src/api/gen/core.ts";
import { type Bucket, bucketContents, buckets, cosiRegistrations } from "../../src/api/gen/cosi.ts";
import type { Stored } from "../../src/api/object.ts";
import { actsOf } from "../fixture/audit.ts";
import { clientOf, keyOf, refusalOf } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { foreignDriver, sameRightsElsewhere } from "./foreign-driver.ts";
import { s3With, statusOf } from "./keys.ts";
import {
  aName,
  bound,
  bucketGround,
  classOf,
  condition,
  newBucket,
  released,
  rootOf,
  sceneOn,
  untilBucket,
  untilContent,
} from "./scene.ts";
import { startStore } from "./store.ts";
import { installDriver, untilRegistered } from "./world.ts";
import { aContent, aRegistration } from "./written.ts";

/* What a driver's vendor, or somebody in a driver's namespace, does to the buckets of another driver. */
const ground = await bucketGround();

async function namesIn(root: S3Client): Promise<readonly (string | undefined)[]> {
  return ((await root.send(new ListBucketsCommand())).Buckets ?? []).map(({ Name }) => Name);
}

test("attacks of a driver on another one", async (t) => {
  const scene = await sceneOn(t, ground);
  const { admin, cluster, namespace } = scene;
  const ours = await classOf(t, scene, { releasePolicy: "Delete" });
  const store = await startStore(t);
  const driver = await installDriver(t, cluster, store);
  await untilRegistered(admin, driver);
  const theirs = await classOf(t, { admin, driver }, { releasePolicy: "Delete" });
  const theirRoot = rootOf(t, store);
  const account = await clientOf(await cluster.serviceAccount(driver.namespace, driver.namespace));
  t.after(() => account.close());
  const bothServe = async () => {
    for (const bucketClass of [ours, theirs]) {
      const bucket = await newBucket(scene, bucketClass);
      await bound(scene, bucket);
      await released(scene, bucket);
    }
  };
  await bothServe();

  // It takes as long as a sidecar has patience, so it goes on beside everything else.
  const twin = aName();
  const third = await startStore(t);
  await sameRightsElsewhere(t, cluster, scene.driver, twin);
  const collision = await foreignDriver(t, cluster, third, { name: scene.driver.name, namespace: twin });
  await collision.driver.start();
  await collision.sidecar.start();
  const ended = collision.sidecar.ended();

  await t.test("the account of a sidecar does nothing to another driver's contents, Secrets and name", async () => {
    const bucket = await newBucket(scene, ours);
    const keys = await bound(scene, bucket);
    const content = await untilContent(scene, bucket, "it is bound", ({ status }) => status?.phase === "Bound");
    const source = content.spec.secretRef ?? { namespace: "", name: "" };
    const status = { status: { ...content.status, phase: "Released" } };
    const name = scene.driver.name;
    const denied = [
      account.merge(bucketContents, keyOf(content), { metadata: { finalizers: null } }),
      account.merge(bucketContents, keyOf(content), { spec: { releasePolicy: "Retain" } }),
      account.merge(bucketContents, keyOf(content), status, { subresource: "status" }),
      account.create(cosiRegistrations, aRegistration(`another-${name}`, { instanceID: "us" })),
    ];
    for (const refusal of await Promise.all(denied.map(refusalOf))) match(refusal.deniedBy ?? "", /^portway-bucket-/);
    const registration = await admin.get(cosiRegistrations, { name });
    const forbidden = [
      account.get(secrets, source),
      account.get(secrets, { namespace, name: bucket.spec.secretName }),
      account.create(secrets, { metadata: { namespace, name: "planted" } }),
      account.create(bucketContents, aContent({ provisioner: driver.name })),
      account.delete(bucketContents, keyOf(content)),
      account.merge(cosiRegistrations, { name }, { spec: { namespace: driver.namespace } }),
      account.delete(cosiRegistrations, keyOf(registration)),
      account.merge(buckets, keyOf(bucket), { metadata: { labels: { a: "b" } } }),
    ];
    for (const { reason } of await Promise.all(forbidden.map(refusalOf))) equal(reason, "Forbidden");
    deepEqual(await admin.get(bucketContents, keyOf(content)), content);
    const object = { Bucket: keys.bucketName, Key: "a", Body: "b" };
    equal(await statusOf(s3With(t, keys).send(new PutObjectCommand(object))), 200);
    await released(scene, bucket);
  });

  await t.test(
    "a sidecar does nothing for another driver's contents, when they are made and when they go",
    async () => {
      await driver.sidecar.stopped();
      const waiting = await newBucket(scene, theirs);
      const { metadata } = await untilContent(scene, waiting, "it is there", () => true);
      await untilBucket(scene, waiting, "nobody serves it", (found) => {
        return condition(found, "DriverAvailable")?.reason === "DriverMissing";
      });
      const others = await newBucket(scene, ours);
      await bound(scene, others);
      equal((await admin.get(bucketContents, metadata)).status?.accounts, undefined, "nobody has begun");
      await driver.sidecar.start();
      const keys = await bound(scene, waiting);
      await driver.sidecar.stopped();

      await admin.delete(buckets, keyOf(waiting));
      await until("its content is to go", async () => {
        return (await admin.get(bucketContents, metadata)).metadata.deletionTimestamp !== undefined;
      });
      await released(scene, others);
      equal(await statusOf(s3With(t, keys).send(new HeadBucketCommand({ Bucket: keys.bucketName }))), 200);
      equal(condition(await admin.get(bucketContents, metadata), "Released"), undefined);
      await driver.sidecar.start();
      await until("the Bucket is gone", async () => (await admin.find(buckets, keyOf(waiting))) === undefined);
      equal((await namesIn(scene.root)).includes(waiting.metadata.uid), false);
      const user = `system:serviceaccount:${scene.driver.namespace}:${scene.driver.namespace}`;
      const acts = (await actsOf(cluster, "cosi-sidecar")).filter((act) => act.user === user);
      equal(
        acts.some(({ name }) => name === others.metadata.uid || name.endsWith(others.metadata.uid)),
        true,
      );
      deepEqual(
        acts.filter(({ name }) => name === metadata.name),
        [],
      );
    },
  );

  /** Its content is begun, and nothing is made yet. */
  async function underWay(): Promise<{ readonly bucket: Stored<Bucket>; readonly uid: string; readonly name: string }> {
    store.freeze();
    const bucket = await newBucket(scene, theirs);
    const { metadata } = await untilContent(scene, bucket, "it is begun", (content) => {
      return condition(content, "ProvisioningStarted")?.status === "True";
    });
    return { bucket, ...metadata };
  }

  const flat = { endpoint: store.url, bucketName: "b", accessKeyID: "i", accessSecretKey: "s" };
  const data = Object.fromEntries(
    Object.entries(flat).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
  );

  await t.test("a sidecar that names a Secret which is not the content's own publishes nothing", async () => {
    const planted = await admin.create(secrets, { metadata: { namespace: driver.namespace, name: aName() }, data });
    const { bucket, name } = await underWay();
    const { namespace: home, name: secret } = planted.metadata;
    await account.merge(bucketContents, { name }, { spec: { secretRef: { namespace: home, name: secret } } });
    store.thaw();
    const told = await untilBucket(scene, bucket, "it is told", ({ status }) => status?.phase === "Failed");
    equal(condition(told, "SecretPublished")?.reason, "SourceSecretUnfit");
    equal(told.status?.message?.includes(secret), false, "where it is is not the tenant's to know");
    equal(await admin.find(secrets, { namespace, name: bucket.spec.secretName }), undefined);
    await released(scene, bucket);
    deepEqual(await admin.get(secrets, keyOf(planted)), planted);
    await bothServe();
  });

  await t.test(
    "a Secret planted under the name that the sidecar will use is neither used, written nor removed",
    async () => {
      const { bucket, uid } = await underWay();
      const metadata = { namespace: driver.namespace, name: sourceSecretName(uid) };
      const planted = await admin.create(secrets, { metadata, data });
      store.thaw();
      const told = await untilBucket(scene, bucket, "it is told", ({ status }) => status?.phase === "Failed");
      match(told.status?.message ?? "", /is not this content's, and is left as it is/);
      equal(await admin.find(secrets, { namespace, name: bucket.spec.secretName }), undefined);
      await released(scene, bucket);
      deepEqual(await admin.get(secrets, keyOf(planted)), planted);
      equal((await namesIn(theirRoot)).includes(bucket.metadata.uid), false);
      await bothServe();
    },
  );

  await t.test(
    "a driver that calls itself like another one gets to do nothing, without rights to that name",
    async (t) => {
      const impostor = await foreignDriver(t, cluster, store, { ...driver, name: scene.driver.name });
      const before = await admin.get(cosiRegistrations, { name: scene.driver.name });
      await driver.sidecar.stopped();
      await impostor.driver.start();
      const user = `system:serviceaccount:${driver.namespace}:${driver.namespace}`;
      const triedAnd403 = async () =>
        (await actsOf(cluster, "cosi-sidecar")).some(
          (act) => act.user === user && act.isForbidden && act.resource === "cosiregistrations",
        );
      equal(await triedAnd403(), false);
      const ended = impostor.sidecar.ended();
      await until("it is refused", triedAnd403);
      const bucket = await newBucket(scene, ours);
      await bound(scene, bucket);
      await released(scene, bucket);
      equal(impostor.sidecar.said().includes('"at work"'), false);
      await impostor.sidecar.killed();
      await ended;
      deepEqual(await admin.get(cosiRegistrations, { name: scene.driver.name }), before);
      deepEqual(await namesIn(theirRoot), []);
      await driver.sidecar.start();
    },
  );

  await t.test("a second driver of the same name and with the same rights ends, and has done nothing", async () => {
    const { spec } = await admin.get(cosiRegistrations, { name: scene.driver.name });
    const code = await ended;
    notEqual(code, 0);
    match(
      collision.sidecar.said(),
      new RegExp(`is registered under this name, and it lives.*${scene.driver.namespace}`),
    );
    deepEqual((await admin.get(cosiRegistrations, { name: scene.driver.name })).spec, spec);
    deepEqual(await namesIn(rootOf(t, third)), []);
    await bothServe();
  });
});
