import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { newNamespace } from "../fixture/client.ts";
import { s3With, statusOf } from "./keys.ts";
import {
  bound,
  bucketGround,
  classOf,
  condition,
  contentOf,
  newBucket,
  released,
  sceneOn,
  untilBucket,
  untilContent,
  untilTold,
} from "./scene.ts";
import { scriptedDriver } from "./scripted.ts";
import { startStore } from "./store.ts";
import { bucketController, driverPlace, s3DriverOf, sidecarOf, untilRegistered } from "./world.ts";

const ground = await bucketGround();
const { admin, cluster } = ground;

test("a store or a driver in trouble", async (t) => {
  const scene = await sceneOn(t, ground);
  const { store } = scene;
  const bucketClass = await classOf(t, scene, { releasePolicy: "Delete" });

  await t.test(
    "a store that is away: it is tried again and again, told in the driver's words, and works when it is back",
    async () => {
      await store.stop();
      const bucket = await newBucket(scene, bucketClass);
      const retrying = await untilBucket(scene, bucket, "it is retried", ({ status }) => status?.phase === "Retrying");
      match(
        retrying.status?.message ?? "",
        /The driver says: CreateBucket: .*the store cannot be reached.*ECONNREFUSED.*\(UNAVAILABLE\)/,
      );
      const content = await contentOf(scene, bucket);
      deepEqual(
        [content?.status?.phase, condition(content ?? {}, "BucketReady")?.reason],
        ["Retrying", "DriverRetried"],
      );
      await untilTold(scene, bucket, "DriverRetried");
      await store.start();
      await bound(scene, bucket);
      await released(scene, bucket);
    },
  );

  await t.test(
    "a store that is away when a Bucket goes: nothing is forgotten, and its keys are taken back later",
    async (t) => {
      const bucket = await newBucket(scene, bucketClass);
      const keys = await bound(scene, bucket);
      await store.stop();
      const gone = released(scene, bucket);
      const held = await untilContent(
        scene,
        bucket,
        "it is told",
        (one) => condition(one, "Released")?.reason === "DriverRetried",
      );
      match(held.status?.message ?? "", /The driver says: RevokeBucketAccess: .*the store cannot be reached/);
      const releasing = await untilBucket(scene, bucket, "it is told", ({ status }) =>
        /cannot be reached/.test(status?.message ?? ""),
      );
      equal(releasing.status?.phase, "Releasing");
      await store.start();
      await gone;
      equal(await statusOf(s3With(t, keys).send(new GetObjectCommand({ Bucket: keys.bucketName, Key: "a" }))), 403);
    },
  );

  await t.test("a store that hangs: the driver gives up on it, and others are not held up for ever", async () => {
    store.freeze();
    const bucket = await newBucket(scene, bucketClass);
    const retrying = await untilBucket(scene, bucket, "it is retried", ({ status }) => status?.phase === "Retrying");
    match(retrying.status?.message ?? "", /the store did not answer within 10 s \(DEADLINE_EXCEEDED\)/);
    store.thaw();
    await bound(scene, bucket);
    await released(scene, bucket);
  });

  await t.test("a driver that is killed and comes back goes on where it was, and its keys are the same", async (t) => {
    const bucket = await newBucket(scene, bucketClass);
    const keys = await bound(scene, bucket);
    await scene.driver.driver.killed();
    const second = await newBucket(scene, bucketClass);
    const retrying = await untilBucket(scene, second, "it is retried", ({ status }) => status?.phase === "Retrying");
    match(retrying.status?.message ?? "", /The driver says: .*\(UNAVAILABLE\)/);
    await scene.driver.driver.start();
    await bound(scene, second);
    equal(
      await statusOf(s3With(t, keys).send(new PutObjectCommand({ Bucket: keys.bucketName, Key: "a", Body: "b" }))),
      200,
    );
    await released(scene, bucket);
    await released(scene, second);
  });

  await t.test("a sidecar that is not there: the Bucket waits for its driver, and says for which", async () => {
    equal(await scene.driver.sidecar.stopped(), 0);
    const bucket = await newBucket(scene, bucketClass);
    const waiting = await untilBucket(
      scene,
      bucket,
      "it is told",
      (one) => condition(one, "DriverAvailable")?.status === "False",
    );
    deepEqual([waiting.status?.phase, condition(waiting, "DriverAvailable")?.reason], ["Pending", "DriverMissing"]);
    match(waiting.status?.message ?? "", new RegExp(`No driver ${scene.driver.name} is registered`));
    await scene.driver.sidecar.start();
    await bound(scene, bucket);
    await released(scene, bucket);
  });
});

test("a driver with wrong keys to its store fails at once, without telling them, and works when it has the right ones", async (t) => {
  const controller = await bucketController(t, cluster);
  await controller.start();
  const store = await startStore(t);
  const place = await driverPlace(t, cluster);
  const wrong = { access: store.root.access, secret: "not-the-secret-of-the-store" };
  const driver = s3DriverOf(t, place, { url: store.url, root: wrong });
  await driver.start();
  const sidecar = await sidecarOf(t, cluster, place);
  await sidecar.start();
  await untilRegistered(admin, place);
  const scene = { ...ground, namespace: await newNamespace(t, admin) };
  const bucket = await newBucket(scene, await classOf(t, { admin, driver: place }, { releasePolicy: "Delete" }));
  const failed = await untilBucket(scene, bucket, "it has failed", ({ status }) => status?.phase === "Failed");
  match(
    failed.status?.message ?? "",
    /The driver says: CreateBucket: .*check the driver's root credentials.*PERMISSION_DENIED/,
  );
  const content = await contentOf(scene, bucket);
  for (const text of [JSON.stringify(failed.status), JSON.stringify(content), driver.said(), sidecar.said()])
    doesNotMatch(text, new RegExp(`${wrong.secret}|${store.root.secret}`));
  equal(await driver.stopped(), 0);
  const right = s3DriverOf(t, place, store);
  await right.start();
  await bound(scene, bucket);
  await released(scene, bucket);
});

test("what a driver says is told in its own words, but for what looks like a secret", async (t) => {
  const controller = await bucketController(t, cluster);
  await controller.start();
  const driver = await scriptedDriver(t, ground, { flags: ["--timeout=2s"] });
  await driver.serve();
  await driver.sidecar.start();
  await untilRegistered(admin, driver);
  const scene = { ...ground, namespace: await newNamespace(t, admin) };
  const bucketClass = await classOf(t, { admin, driver }, { releasePolicy: "Delete" });
  const failing = async (fault: object | "hang", phase: string) => {
    driver.place.play([{ method: "CreateBucket", when: "before", fault: fault as never }]);
    const bucket = await newBucket(scene, bucketClass);
    const { status } = await untilBucket(scene, bucket, phase, ({ status }) => status?.phase === phase);
    const content = await contentOf(scene, bucket);
    equal(content?.status?.phase, phase);
    driver.place.play([]);
    return { bucket, message: status?.message ?? "", all: JSON.stringify([status, content]) };
  };

  const full = await failing({ code: "RESOURCE_EXHAUSTED", message: "the store is full" }, "Retrying");
  match(full.message, /The driver says: CreateBucket: the store is full \(RESOURCE_EXHAUSTED\)/);
  const hung = await failing("hang", "Retrying");
  match(hung.message, /The driver says: CreateBucket: .*\(DEADLINE_EXCEEDED\)/);
  const loud = await failing({ code: "INTERNAL", message: "PUT https://root:hunter2@store/b: 500" }, "Retrying");
  match(loud.message, /PUT https:\/\/\[redacted\]@store\/b: 500/);
  doesNotMatch(loud.all, /hunter2/);
  for (const { bucket } of [full, hung, loud]) {
    await bound(scene, bucket);
    await released(scene, bucket);
  }
});
