import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { test } from "node:test";
import { GetObjectCommand, HeadBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { bucketFinalizer } from "../../src/api/buckets/names.ts";
import { events, secrets } from "../../src/api/gen/core.ts";
import { bucketClasses, bucketContents, buckets } from "../../src/api/gen/cosi.ts";
import { keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { tenantOf } from "./attackers.ts";
import { s3With, statusOf } from "./keys.ts";
import { refused, tried } from "./keys-at-work.ts";
import { allowed, mayUse } from "./people.ts";
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
} from "./scene.ts";
import { usersOf } from "./store.ts";
import { newClass } from "./world.ts";
import { aContent, newContent } from "./written.ts";

/* What a tenant tries with the rights of one. Whoever attacks has a Bucket of their own first, which works. */
const ground = await bucketGround();

test("attacks of a tenant", async (t) => {
  const scene = await sceneOn(t, ground);
  const { admin, cluster, controller, store, root } = scene;
  const bucketClass = await classOf(t, scene, { releasePolicy: "Delete" });
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  await t.test("whoever has no right to Secrets gets at none by the name of a Bucket's Secret", async (t) => {
    const { home, as } = await tenantOf(t, scene, "mallory", bucketClass, "portway-bucket-user");
    const data = { password: base64("a colleague's") };
    const theirs = await admin.create(secrets, { metadata: { namespace: home, name: "database" }, data });
    equal((await refusalOf(as.get(secrets, keyOf(theirs)))).reason, "Forbidden");
    const place = { admin: as, namespace: home };
    const bucket = await newBucket(place, bucketClass, { secretName: "database" });
    const inConflict = await untilBucket(place, bucket, "the conflict is told", (found) => {
      return condition(found, "SecretConflict")?.status === "True";
    });
    doesNotMatch(JSON.stringify(inConflict), /password|colleague/);
    deepEqual(await admin.get(secrets, keyOf(theirs)), theirs, "neither overwritten nor adopted");
    await released(place, bucket);
    deepEqual(await admin.get(secrets, keyOf(theirs)), theirs, "nor deleted");

    const second = await newBucket(place, bucketClass, { secretName: "database" });
    await untilBucket(place, second, "the conflict is told", (found) => {
      return condition(found, "SecretConflict")?.status === "True";
    });
    await admin.delete(secrets, keyOf(theirs));
    const keys = await bound({ admin, namespace: home }, second);
    equal(keys.bucketName, second.metadata.uid, "and it is tried until the name is free");
    await released(place, second);
  });

  await t.test("a Secret that says it is another Bucket's is nobody's but theirs", async (t) => {
    const { home, as, legal } = await tenantOf(t, scene, "mallory", bucketClass);
    const [owner] =
      (await as.get(secrets, { namespace: home, name: legal.spec.secretName })).metadata.ownerReferences ?? [];
    const marks = { "cosi.io/made-for": legal.metadata.uid };
    const place = { admin: as, namespace: home };
    for (const metadata of [{ ownerReferences: owner === undefined ? [] : [owner] }, { annotations: marks }]) {
      const planted = await as.create(secrets, { metadata: { namespace: home, name: aName(), ...metadata } });
      const bucket = await newBucket(place, bucketClass, { secretName: planted.metadata.name });
      await untilBucket(place, bucket, "the conflict is told", (found) => {
        return condition(found, "SecretConflict")?.status === "True";
      });
      deepEqual(await as.get(secrets, keyOf(planted)), planted);
      await released(place, bucket);
      deepEqual(await as.get(secrets, keyOf(planted)), planted);
    }
  });

  await t.test("a status is nobody's to write, and the finalizer comes back", async (t) => {
    const { home, as, legal } = await tenantOf(t, scene, "mallory", bucketClass);
    const victim = await newBucket(scene, bucketClass);
    await bound(scene, victim);
    const bucketContentName = (await contentOf(scene, victim))?.metadata.name ?? "";
    const forged = { status: { phase: "Bound", bucketContentName } };
    equal((await refusalOf(as.merge(buckets, keyOf(legal), forged, { subresource: "status" }))).reason, "Forbidden");
    await as.merge(buckets, keyOf(legal), { metadata: { finalizers: null, labels: { team: "m" } }, ...forged });
    const place = { admin: as, namespace: home };
    const { status } = await untilBucket(place, legal, "it is held again", ({ metadata }) => {
      return metadata.finalizers?.includes(bucketFinalizer) === true;
    });
    equal(status?.bucketContentName, `${bucketClass}-${legal.metadata.uid}`);
    await released(place, legal);
    equal((await admin.get(buckets, keyOf(victim))).status?.phase, "Bound");
    await released(scene, victim);
  });

  await t.test("a Bucket whose finalizer its owner tears off leaves no key that is good, and no bucket", async (t) => {
    const { home, as, legal } = await tenantOf(t, scene, "mallory", bucketClass);
    const keys = await bound({ admin, namespace: home }, legal);
    const s3 = s3With(t, keys);
    await s3.send(new PutObjectCommand({ Bucket: keys.bucketName, Key: "a", Body: "b" }));
    const content = await contentOf(scene, legal);
    store.freeze();
    await as.delete(buckets, keyOf(legal));
    await as.merge(buckets, keyOf(legal), { metadata: { finalizers: null } });
    equal(await as.find(buckets, keyOf(legal)), undefined);
    store.thaw();
    await until(
      "its content is gone",
      async () => (await admin.find(bucketContents, content?.metadata ?? { name: "" })) === undefined,
    );
    deepEqual(await tried(s3, keys.bucketName), refused);
    equal((await usersOf(store)).has(keys.accessKeyID), false);
    equal(await statusOf(root.send(new HeadBucketCommand({ Bucket: keys.bucketName }))), 404);
    for (const place of [content?.spec.secretRef, { namespace: home, name: legal.spec.secretName }])
      await until("its Secret is gone", async () => (await admin.find(secrets, place ?? { name: "" })) === undefined);
  });

  await t.test("whoever writes classes hands out their own Secret, and none of kube-system", async (t) => {
    const { home, as } = await tenantOf(t, scene, "mallory", bucketClass);
    await allowed(t, cluster, "mallory", [{ resource: "bucketclasses", verbs: ["create"] }]);
    const flat = { endpoint: store.url, bucketName: "b", accessKeyID: "i", accessSecretKey: "s" };
    const data = Object.fromEntries(Object.entries(flat).map(([key, text]) => [key, base64(text)]));
    const theirs = await admin.create(secrets, { metadata: { namespace: "kube-system", name: aName() }, data });
    t.after(() => admin.delete(secrets, keyOf(theirs)));
    const own = await as.create(secrets, { metadata: { namespace: home, name: "own" }, data });
    const written = async ({ metadata: { namespace = "", name } }: typeof own) => {
      const made = await as.create(bucketClasses, { metadata: { name: aName() }, secretRef: { namespace, name } });
      t.after(() => admin.delete(bucketClasses, keyOf(made)));
      await mayUse(t, cluster, "mallory", made.metadata.name);
      return made.metadata.name;
    };
    const place = { admin: as, namespace: home };
    const legal = await newBucket(place, await written(own));
    equal((await bound(place, legal)).accessSecretKey, "s");
    const { deniedBy } = await refusalOf(written(theirs));
    equal(deniedBy, "portway-bucketclass-secret");
    await released(place, legal);
  });

  await t.test("of a Secret that their class names a tenant learns what it lacks, and not where it is", async (t) => {
    const { home, as } = await tenantOf(t, scene, "mallory", bucketClass);
    const platform = await newNamespace(t, admin);
    const name = aName();
    const { metadata } = await newClass(t, admin, { secretRef: { namespace: platform, name } });
    await mayUse(t, cluster, "mallory", metadata.name);
    const place = { admin: as, namespace: home };
    const bucket = await newBucket(place, metadata.name);
    const said: string[] = [];
    const tellsOf = async (words: RegExp) => {
      const found = await untilBucket(place, bucket, `${words} is told`, ({ status }) =>
        words.test(status?.message ?? ""),
      );
      said.push(JSON.stringify(found.status));
    };
    await tellsOf(/The Secret that the class \S+ names is not there\. Ask whoever wrote the class/);
    const half = { endpoint: base64("https://store"), "root-password": base64("secret") };
    const source = await admin.create(secrets, { metadata: { namespace: platform, name }, data: half });
    await tellsOf(/lacks bucketName, accessKeyID, accessSecretKey\./);
    for await (const { items } of as.pages(events, { namespace: home }))
      said.push(...items.map(({ message = "" }) => message));
    doesNotMatch(said.join("\n"), new RegExp(`${platform}|${name}|root-password|https://store`));
    const unseen = [
      as.get(secrets, keyOf(source)),
      as.get(bucketClasses, metadata),
      as.get(bucketContents, { name: `${metadata.name}-${bucket.metadata.uid}` }),
    ];
    for (const { reason } of await Promise.all(unseen.map(refusalOf))) equal(reason, "Forbidden");
    await released(place, bucket);
  });

  await t.test("contents are nobody's to make; one that was forged all the same gives no keys away", async (t) => {
    const { home, as } = await tenantOf(t, scene, "mallory", bucketClass);
    equal((await refusalOf(as.create(bucketContents, aContent()))).reason, "Forbidden");
    const flat = { endpoint: store.url, bucketName: "b", accessKeyID: "i", accessSecretKey: "s" };
    const data = Object.fromEntries(Object.entries(flat).map(([key, text]) => [key, base64(text)]));
    const theirs = await admin.create(secrets, { metadata: { namespace: "kube-system", name: aName() }, data });
    t.after(() => admin.delete(secrets, keyOf(theirs)));
    const place = { admin: as, namespace: home };
    await controller.stopped();
    const bucket = await newBucket(place, bucketClass);
    const { name, uid } = bucket.metadata;
    // As from a back-up, or by an administrator who was talked into it.
    await newContent(t, admin, {
      mode: "Static",
      provisioner: undefined,
      releasePolicy: "Retain",
      bucketRef: { namespace: home, name, uuid: uid },
      secretRef: { namespace: "kube-system", name: theirs.metadata.name },
    });
    await controller.start();
    const keys = await bound(place, bucket);
    deepEqual([keys.bucketName, keys.accessSecretKey === "s"], [uid, false]);
    equal((await as.get(buckets, keyOf(bucket))).status?.bucketContentName, `${bucketClass}-${uid}`);
    await released(place, bucket);
    deepEqual(await admin.get(secrets, keyOf(theirs)), theirs);
    equal(await statusOf(s3With(t, keys).send(new GetObjectCommand({ Bucket: keys.bucketName, Key: "a" }))), 403);
  });
});
