import { deepEqual, equal, ok } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { sourceSecretName } from "../../src/api/buckets/names.ts";
import { type Secret, secrets } from "../../src/api/gen/core.ts";
import { bucketContents, buckets, cosiRegistrations } from "../../src/api/gen/cosi.ts";
import type { KubeObject, Resource, Stored } from "../../src/api/object.ts";
import { type Act, actsOf } from "../fixture/audit.ts";
import { keyOf, newNamespace } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import {
  aName,
  bound,
  bucketGround,
  classOf,
  condition,
  contentOf,
  newBucket,
  released,
  type Scene,
  sceneOn,
  untilBucket,
  untilContent,
} from "./scene.ts";
import { newClass } from "./world.ts";

/*
 * What the accounts may do, beside what their processes have done: the controller since the lane's cluster was made, the
 * sidecar in the stories below. Alone, they use every right.
 */
const ground = await bucketGround();
const { cluster, admin } = ground;

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const right = (verb: string, group: string, resource: string) =>
  `${verb} ${group === "" ? "" : `${group}/`}${resource}`;

async function granted(...role: readonly string[]): Promise<readonly string[]> {
  const rules = JSON.parse(await cluster.kubectl(["get", ...role, "-o", "jsonpath={.rules}"])) as readonly Rule[];
  return rules.flatMap(({ apiGroups: [group = ""], resources, verbs }) =>
    resources.flatMap((resource) => verbs.map((verb) => right(verb, group, resource))),
  );
}

/** Servers from 1.34 on send the first list as a part of the watch; to older ones the same cache sends both. */
function used(acts: readonly Act[]): ReadonlySet<string> {
  return new Set(
    acts.flatMap(({ verb, group, resource }) => {
      const verbs = verb === "watch" ? ["watch", "list"] : [verb];
      return verbs.map((one) => right(one, group, resource));
    }),
  );
}

/** The right of one role that no act of those in its reach has needed. */
async function unused(acts: readonly Act[], ...role: readonly string[]): Promise<readonly string[]> {
  const uses = used(acts);
  return (await granted(...role)).filter((one) => !uses.has(one));
}

test("controller and sidecar use every right they have, are refused nothing, and see no Secret but their own", async (t) => {
  const scene = await sceneOn(t, ground);
  const { driver, controller } = scene;
  await takenOver(scene);
  await madeAndReleased(t, scene);
  await opened(t, scene);
  await copied(t, scene);
  await killedMidway(t, scene);
  await tornOff(t, scene);
  await failing(t, scene);
  await driver.sidecar.stopped();
  await controller.stopped();

  const system = (namespace: string, name: string) => `system:serviceaccount:${namespace}:${name}`;
  const ours = await actsOf(cluster, "portway-buckets");
  deepEqual([...new Set(ours.map(({ user }) => user))], [system("portway-system", "portway-buckets")]);
  const account = system(driver.namespace, driver.namespace);
  const theirs = (await actsOf(cluster, "cosi-sidecar")).filter(({ user }) => user === account);
  for (const acts of [ours, theirs]) {
    ok(acts.length > 0);
    deepEqual(
      acts.filter(({ isForbidden }) => isForbidden),
      [],
      "it has tried what it may not do",
    );
  }
  const isHome = ({ namespace }: Act) => namespace === "portway-system";
  deepEqual(await unused(ours.filter(isHome), "-n", "portway-system", "role", "portway-buckets"), []);
  deepEqual(
    await unused(
      ours.filter((act) => !isHome(act)),
      "clusterrole",
      "portway-buckets",
    ),
    [],
  );
  const beside = ({ namespace }: Act) => namespace === driver.namespace;
  const role = `portway-cosi-${driver.name}`;
  deepEqual(await unused(theirs.filter(beside), "-n", driver.namespace, "role", "portway-cosi-sidecar"), []);
  deepEqual(
    await unused(
      theirs.filter(({ namespace }) => namespace === "default"),
      "-n",
      "default",
      "role",
      role,
    ),
    [],
  );
  deepEqual(
    await unused(
      theirs.filter((act) => !beside(act)),
      "clusterrole",
      role,
    ),
    [],
  );
  const elsewhere = theirs.filter((act) => !beside(act) && act.resource === "secrets");
  deepEqual(elsewhere, [], "a sidecar has asked for Secrets of others");
});

/** The name was another's, whose Lease nobody renews. */
async function takenOver({ driver }: Scene): Promise<void> {
  const { name } = driver;
  await driver.sidecar.killed();
  await admin.merge(cosiRegistrations, { name }, { spec: { instanceID: "somebody", namespace: "default" } });
  await driver.sidecar.start();
  await until("the name is its own again", async () => {
    return (await admin.get(cosiRegistrations, { name })).spec.namespace === driver.namespace;
  });
}

async function madeAndReleased(t: TestContext, scene: Scene): Promise<void> {
  for (const releasePolicy of ["Delete", "Retain"] as const) {
    const bucket = await newBucket(scene, await classOf(t, scene, { releasePolicy }));
    await bound(scene, bucket);
    await released(scene, bucket);
  }
}

async function opened(t: TestContext, scene: Scene): Promise<void> {
  const Bucket = aName();
  await scene.root.send(new CreateBucketCommand({ Bucket }));
  const bucket = await newBucket(scene, await classOf(t, scene, { bucketIdentifier: Bucket }));
  await bound(scene, bucket);
  await released(scene, bucket);
}

const flat = { endpoint: "https://store", bucketName: "b", accessKeyID: "i", accessSecretKey: "s" };
const data = Object.fromEntries(Object.entries(flat).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));

/** A Secret with this owner that holds something else than it should. */
async function spoilt(place: Secret["metadata"], owner: Stored<KubeObject>, { kind }: Resource): Promise<void> {
  const { name, uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: "cosi.io/v1alpha1", kind, name, uid, controller: true }];
  await admin.create(secrets, { metadata: { ...place, ownerReferences }, data: { endpoint: "" } });
}

/** Absent, incomplete, absent once more, and then complete; the copy is there already, and wrong. */
async function copied(t: TestContext, scene: Scene): Promise<void> {
  const place = { namespace: await newNamespace(t, admin), name: aName() };
  const bucket = await newBucket(scene, (await newClass(t, admin, { secretRef: place })).metadata.name);
  const says = async (words: RegExp) =>
    await untilBucket(scene, bucket, `${words} is told`, ({ status }) => words.test(status?.message ?? ""));
  await says(/is not there/);
  const { endpoint = "" } = data;
  const half = await admin.create(secrets, { metadata: place, data: { endpoint } });
  await says(/lacks/);
  await admin.delete(secrets, keyOf(half));
  await says(/is not there/);
  await spoilt({ namespace: scene.namespace, name: bucket.spec.secretName }, bucket, buckets);
  await admin.create(secrets, { metadata: place, data });
  equal((await bound(scene, bucket)).accessSecretKey, "s");
  await released(scene, bucket);
}

/** So long that the controller asks after the driver; and there is a Secret already, and a wrong one. */
async function killedMidway(t: TestContext, scene: Scene): Promise<void> {
  const { driver, store } = scene;
  store.freeze();
  const bucket = await newBucket(scene, await classOf(t, scene, { releasePolicy: "Delete" }));
  const content = await untilContent(scene, bucket, "it is begun", (content) => {
    return condition(content, "ProvisioningStarted")?.status === "True";
  });
  await driver.sidecar.killed();
  await spoilt({ namespace: driver.namespace, name: sourceSecretName(content.metadata.uid) }, content, bucketContents);
  await until("the driver's Lease was looked at", async () => {
    const acts = await actsOf(cluster, "portway-buckets");
    return acts.some(({ resource, namespace }) => resource === "leases" && namespace === driver.namespace);
  });
  store.thaw();
  await driver.sidecar.start();
  await bound(scene, bucket);
  await released(scene, bucket);
}

/** The controller starts when its Bucket is gone, and makes sure that it is before it takes anything back. */
async function tornOff(t: TestContext, scene: Scene): Promise<void> {
  const bucket = await newBucket(scene, await classOf(t, scene, { releasePolicy: "Delete" }));
  await bound(scene, bucket);
  await scene.controller.stopped();
  await admin.delete(buckets, keyOf(bucket));
  await admin.merge(buckets, keyOf(bucket), { metadata: { finalizers: null } });
  await scene.controller.start();
  await until("its content is gone", async () => (await contentOf(scene, bucket)) === undefined);
}

/** The store is away, then its driver as well, and then only the store once more: the same trouble is told twice. */
async function failing(t: TestContext, scene: Scene): Promise<void> {
  const { store, driver } = scene;
  await store.stop();
  const bucket = await newBucket(scene, await classOf(t, scene, { releasePolicy: "Delete" }));
  const blames = async (isStore: boolean) =>
    await untilContent(scene, bucket, `${isStore ? "the store" : "the driver"} is blamed`, (content) => {
      const { reason, message = "" } = condition(content, "BucketReady") ?? {};
      return reason === "DriverRetried" && /the store cannot be reached/.test(message) === isStore;
    });
  await blames(true);
  await driver.driver.stopped();
  await blames(false);
  await driver.driver.start();
  await blames(true);
  await store.start();
  await bound(scene, bucket);
  await released(scene, bucket);
}
