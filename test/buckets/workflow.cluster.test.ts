import { deepEqual, equal } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { secrets } from "../../src/api/gen/core.ts";
import { type Bucket, bucketContents, buckets } from "../../src/api/gen/cosi.ts";
import type { Stored } from "../../src/api/object.ts";
import { type Monitor, monitor } from "../faults/monitor/monitor.ts";
import { type Act, actsOf } from "../fixture/audit.ts";
import { until } from "../fixture/portway.ts";
import { deedsIn } from "./deeds.ts";
import {
  aName,
  bound,
  bucketGround,
  classOf,
  newBucket,
  released,
  type Scene,
  sceneOn,
  untilContent,
} from "./scene.ts";
import { newClass } from "./world.ts";

const ground = await bucketGround();
const { admin } = ground;

/** The seed's numbered steps, by what each leaves in the cluster; the driver's call is step 6. */
const dynamic = [
  "the Bucket is there", // 1
  "the Bucket: held", // 2
  "the content is there, held, of a class", // 3, 4
  "the content: begun", // 5; ours: before the driver is asked, so that nothing it makes is ever forgotten
  "the driver's Secret is there, owned by the BucketContent, with keys", // 7
  "the content: names a Secret", // 8
  "the content: ready", // 8
  "the user's Secret is there, owned by the Bucket, with keys", // 9, 10
  "the Bucket: bound to its content", // 11
  "the content: bound", // 11
];

const dynamicEnd = [
  "the Bucket: is to go", // 1
  "the content: is to go", // 2, 4
  "the content: its Bucket goes", // ours: a content that somebody else deletes is not released
  "the driver's Secret is gone", // 6 was the call
  "the content: released", // 7
  "the content is gone", // 8, 9
  "the user's Secret is gone", // 10
  "the Bucket is gone", // 10
];

/** The seed has the content made with its phase; the server drops what is written of a status then, so it takes two writes. */
const written = [
  "the Bucket is there", // 2
  "the Bucket: held", // 3
  "the content is there, held, of a class, names a Secret", // 4, 5
  "the content: ready", // 5
  "the user's Secret is there, owned by the Bucket, with keys", // 6, 7
  "the Bucket: bound to its content", // 8
  "the content: bound", // 8
];

const writtenEnd = [
  "the Bucket: is to go", // 1
  "the content: is to go", // 2, 4
  "the content: released", // 4
  "the content is gone", // 5, 6
  "the user's Secret is gone", // 7
  "the Bucket is gone", // 7
];

test("every stored version follows the seed's workflows, step by step", async (t) => {
  const scene = await sceneOn(t, ground);

  await t.test("Create Bucket (Greenfield), and its end by DeleteBucket", async (t) => {
    const bucketClass = await classOf(t, scene, { releasePolicy: "Delete" });
    const { deeds, uid } = await lifeOf(t, scene, bucketClass);
    deepEqual(deeds, [...dynamic, ...dynamicEnd]);
    deepEqual(callsAbout(scene, uid), ["CreateBucket", "RevokeBucketAccess", "DeleteBucket"]);
  });

  await t.test("the same with Retain: its end is RevokeBucketAccess alone", async (t) => {
    const { deeds, uid } = await lifeOf(t, scene, await classOf(t, scene, { releasePolicy: "Retain" }));
    deepEqual(deeds, [...dynamic, ...dynamicEnd]);
    deepEqual(callsAbout(scene, uid), ["CreateBucket", "RevokeBucketAccess"]);
  });

  await t.test("Grant Bucket Access (Brownfield), and its end by RevokeBucketAccess", async (t) => {
    const bucketIdentifier = aName();
    await scene.root.send(new CreateBucketCommand({ Bucket: bucketIdentifier }));
    const { deeds } = await lifeOf(t, scene, await classOf(t, scene, { bucketIdentifier }));
    deepEqual(deeds, [...dynamic, ...dynamicEnd]);
    deepEqual(callsAbout(scene, bucketIdentifier), ["GrantBucketAccess", "RevokeBucketAccess"]);
  });

  await t.test("Static Buckets: granted and revoked without any driver", async (t) => {
    const text = (word: string) => Buffer.from(word).toString("base64");
    const data = {
      endpoint: text("http://store"),
      bucketName: text("b"),
      accessKeyID: text("k"),
      accessSecretKey: text("s"),
    };
    const { metadata } = await admin.create(secrets, {
      metadata: { namespace: scene.driver.namespace, name: aName() },
      data,
    });
    const secretRef = { namespace: scene.driver.namespace, name: metadata.name };
    const { deeds } = await lifeOf(t, scene, (await newClass(t, admin, { secretRef })).metadata.name);
    deepEqual(deeds, [...written, ...writtenEnd]);
  });
});

test("a Bucket costs nine writes and two reads until its keys are there, and seven writes and four reads afterwards", async (t) => {
  const scene = await sceneOn(t, ground);
  const monitored = await watching(scene);
  t.after(() => monitored.close());
  const bucket = await newBucket(scene, await classOf(t, scene, { releasePolicy: "Delete" }));
  await bound(scene, bucket);
  await untilContent(scene, bucket, "the content is bound", ({ status }) => status?.phase === "Bound");
  await monitored.caughtUp();
  // What takes longer than a moment is told, and that is one write more.
  const slow = versionsWith(monitored, bucket, ["Pending"]);
  const first = await costOf(bucket, scene, 9 + slow);
  deepEqual(first.writes.length - slow, 9, first.writes.join("\n"));
  deepEqual(first.reads.length, 2, first.reads.join("\n"));

  await released(scene, bucket);
  await monitored.caughtUp();
  const slowEnd = versionsWith(monitored, bucket, ["Releasing"]);
  const whole = await costOf(bucket, scene, first.writes.length + 7 + slowEnd);
  deepEqual(whole.writes.length - first.writes.length - slowEnd, 7, whole.writes.join("\n"));
  deepEqual(whole.reads.length - first.reads.length, 4, whole.reads.join("\n"));
});

async function watching({ driver, namespace }: Scene): Promise<Monitor> {
  return await monitor({
    client: admin,
    watched: [
      { resource: buckets, namespaces: [namespace] },
      {
        resource: bucketContents,
        only: ({ metadata }) =>
          metadata.labels?.["cosi.io/provisioner"] === driver.name || metadata.labels === undefined,
      },
      { resource: secrets, namespaces: [namespace, driver.namespace] },
    ],
  });
}

/** All that is stored from the creation of a Bucket to its end. */
async function lifeOf(t: TestContext, scene: Scene, bucketClass: string) {
  const monitored = await watching(scene);
  t.after(() => monitored.close());
  await monitored.caughtUp();
  const bucket = await newBucket(scene, bucketClass);
  await bound(scene, bucket);
  await untilContent(scene, bucket, "the content is bound", ({ status }) => status?.phase === "Bound");
  await released(scene, bucket);
  await monitored.caughtUp();
  const { uid } = bucket.metadata;
  const mine = monitored.history().filter(({ resource, object }) => {
    const { metadata } = object;
    if (resource === "buckets") return metadata.uid === uid;
    if (resource === "bucketcontents") return metadata.name === `${bucketClass}-${uid}`;
    return (metadata.ownerReferences ?? []).length > 0;
  });
  return { deeds: deedsIn(mine, scene.driver.namespace), uid };
}

/** What the driver was asked about this bucket, in its order. */
function callsAbout({ driver }: Scene, bucketName: string): readonly string[] {
  const lines = driver.driver
    .said()
    .split("\n")
    .filter((line) => line.includes(bucketName));
  return lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
}

interface Cost {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

const reading = ["get", "list", "watch"];

/** The server answers a request before it notes it down. */
async function costOf(bucket: Stored<Bucket>, scene: Scene, expected: number): Promise<Cost> {
  let cost: Cost = { writes: [], reads: [] };
  await until(`${expected} writes are noted`, async () => {
    cost = await notedFor(bucket, scene);
    return cost.writes.length >= expected;
  });
  return cost;
}

/** Everything that was asked of the server for this Bucket, but for Events and Leases. */
async function notedFor(bucket: Stored<Bucket>, { driver, namespace }: Scene): Promise<Cost> {
  const acts = [
    ...(await actsOf(ground.cluster, "portway-buckets")),
    ...(await actsOf(ground.cluster, "cosi-sidecar")),
  ];
  const isAbout = ({ resource, name, namespace: where }: Act) =>
    name.includes(bucket.metadata.uid) ||
    (resource.startsWith("buckets") && where === namespace) ||
    (resource === "secrets" && [namespace, driver.namespace].includes(where));
  const since = acts.filter((act) => !["leases", "events"].includes(act.resource) && isAbout(act));
  const words = since.map(({ user, verb, resource, name }) => ({ verb, line: `${user} ${verb} ${resource} ${name}` }));
  equal(since.filter(({ isForbidden }) => isForbidden).length, 0);
  return {
    writes: words.filter(({ verb }) => !reading.includes(verb)).map(({ line }) => line),
    reads: words.filter(({ verb }) => verb === "get").map(({ line }) => line),
  };
}

function versionsWith(monitored: Monitor, { metadata: { uid } }: Stored<Bucket>, phases: readonly string[]): number {
  const seen = monitored
    .history("buckets")
    .filter((version) => version.uid === uid)
    .map(({ object }) => (object as Stored<Bucket>).status);
  const isNew = (at: number) => JSON.stringify(seen[at]) !== JSON.stringify(seen[at - 1]);
  return seen.filter((status, at) => phases.includes(status?.phase ?? "") && isNew(at)).length;
}
