import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { ListBucketsCommand } from "@aws-sdk/client-s3";
import { bucketClasses } from "../../src/api/gen/cosi.ts";
import { type Reason, reasons } from "../../src/api/reasons.ts";
import { Capability } from "../../src/rpc/gen/buckets_pb.js";
import { newNamespace } from "../fixture/client.ts";
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
} from "./scene.ts";
import { scriptedDriver } from "./scripted.ts";
import { usersOf } from "./store.ts";
import { bucketController, dropClass, untilRegistered } from "./world.ts";

const ground = await bucketGround();
const { admin } = ground;

/** What is wrong with a class that the server takes, and what people are told. */
const wrong: readonly (readonly [
  says: string,
  parameters: Readonly<Record<string, string>>,
  why: Reason,
  message: RegExp,
])[] = [
  [
    "a form of Secret that nobody knows",
    { "cosi.io/secret-format": "json" },
    "ParameterUnfit",
    /secret-format has "json"; it takes a list of flat, aws/,
  ],
  ["a size that is none", { maxSizePerBucket: "much" }, "ParameterUnfit", /maxSizePerBucket/],
  [
    "a size for a driver that cannot limit sizes",
    { maxSizePerBucket: "1Gi" },
    "QuotaUnsupported",
    /cannot limit what a bucket holds/,
  ],
  [
    "a parameter that the driver does not know",
    { tier: "gold" },
    "DriverRefused",
    /The driver says: .*there is no parameter "tier".*INVALID_ARGUMENT/,
  ],
];

test("what cannot be had changes nothing and is told in one clear sentence", async (t) => {
  const scene = await sceneOn(t, ground);

  for (const [says, parameters, why, message] of wrong)
    await t.test(`a class with ${says}`, async (t) => {
      const bucket = await newBucket(scene, await classOf(t, scene, { parameters, releasePolicy: "Delete" }));
      const { status = {} } = await untilBucket(
        scene,
        bucket,
        "it has failed",
        ({ status }) => status?.phase === "Failed",
      );
      const published = condition({ status }, "SecretPublished");
      deepEqual([published?.status, published?.reason, published?.message], ["False", why, status.message]);
      match(status.message ?? "", message);
      equal(status.message?.includes(reasons[why].next), true, status.message);
      await nothingMade(scene);
      await released(scene, bucket);
    });

  await t.test("a class that is not there is waited for, and no content is made meanwhile", async (t) => {
    const name = aName();
    const bucket = await newBucket(scene, name);
    const waiting = await untilBucket(
      scene,
      bucket,
      "it is told",
      (one) => condition(one, "ClassResolved")?.status === "False",
    );
    deepEqual([waiting.status?.phase, condition(waiting, "ClassResolved")?.reason], ["Pending", "BucketClassMissing"]);
    match(waiting.status?.message ?? "", new RegExp(`There is no BucketClass ${name}. Check spec.bucketClassName`));
    equal(await contentOf(scene, bucket), undefined);
    await admin.create(bucketClasses, { metadata: { name }, provisioner: scene.driver.name, releasePolicy: "Delete" });
    t.after(() => dropClass(admin, name));
    await bound(scene, bucket);
    await released(scene, bucket);
  });

  await t.test("a Bucket of a class that is not there goes when it is deleted", async () => {
    const bucket = await newBucket(scene, aName());
    await untilBucket(scene, bucket, "it is told", (one) => condition(one, "ClassResolved")?.status === "False");
    await released(scene, bucket);
  });

  await t.test("a driver that nobody has installed is waited for, and its Bucket goes without it", async (t) => {
    const driver = { name: `${aName()}.test.portway.dev` };
    const bucket = await newBucket(scene, await classOf(t, { admin, driver }, { releasePolicy: "Delete" }));
    const waiting = await untilBucket(
      scene,
      bucket,
      "it is told",
      (one) => condition(one, "DriverAvailable")?.status === "False",
    );
    deepEqual([waiting.status?.phase, condition(waiting, "DriverAvailable")?.reason], ["Pending", "DriverMissing"]);
    match(waiting.status?.message ?? "", new RegExp(`No driver ${driver.name} is registered. Check the provisioner`));
    await released(scene, bucket);
  });

  await t.test(
    "a prefix that S3 would refuse is written small and cut, and the rest of the name is never guessed",
    async (t) => {
      const bucketClass = await classOf(t, scene, { releasePolicy: "Delete" });
      const bucket = await newBucket(scene, bucketClass, { bucketPrefix: "A-Very.LONG-prefix-that-goes-on-and-on" });
      const { bucketName } = await bound(scene, bucket);
      equal(bucketName, `a-very.long-prefix-that-goe${bucket.metadata.uid}`);
      equal(bucketName.length, 63);
      await released(scene, bucket);
    },
  );
});

test("a driver that cannot limit keys is never asked for keys that are to be limited", async (t) => {
  const controller = await bucketController(t, ground.cluster);
  await controller.start();
  const driver = await scriptedDriver(t, ground);
  await driver.serve({ capabilities: [Capability.PURGE] });
  await driver.sidecar.start();
  await untilRegistered(admin, driver);
  const scene = { ...ground, namespace: await newNamespace(t, admin) };
  const asksFor = [
    [{ accessMode: "ro" }, "AccessModeUnsupported", /cannot give keys that are only ro/],
    [{ accessMode: "wo" }, "AccessModeUnsupported", /cannot give keys that are only wo/],
    [{ parameters: { maxObjectsPerBucket: "10" } }, "QuotaUnsupported", /cannot limit what a bucket holds/],
  ] as const;
  for (const [fields, why, message] of asksFor) {
    const bucket = await newBucket(scene, await classOf(t, { admin, driver }, { ...fields, releasePolicy: "Delete" }));
    const { status } = await untilBucket(scene, bucket, "it has failed", ({ status }) => status?.phase === "Failed");
    equal(condition({ status: status ?? {} }, "SecretPublished")?.reason, why);
    match(status?.message ?? "", message);
    await released(scene, bucket);
  }
  deepEqual(new Set(driver.place.calls().map(({ method }) => method)), new Set(["GetDriverInfo"]));
  const bucket = await newBucket(
    scene,
    await classOf(t, { admin, driver }, { accessMode: "rw", releasePolicy: "Delete" }),
  );
  await bound(scene, bucket);
  await released(scene, bucket);
});

async function nothingMade({ root, store }: Scene): Promise<void> {
  deepEqual((await root.send(new ListBucketsCommand({}))).Buckets ?? [], []);
  equal((await usersOf(store)).size, 0);
}
