import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { type Event, events } from "../../src/api/gen/core.ts";
import type { Condition } from "../../src/api/gen/meta.ts";
import type { KubeObject, Stored } from "../../src/api/object.ts";
import { until } from "../fixture/portway.ts";
import {
  aName,
  bound,
  bucketGround,
  classOf,
  newBucket,
  released,
  sceneOn,
  untilBucket,
  untilContent,
  untilTold,
} from "./scene.ts";
import type { Measured } from "./world.ts";

const ground = await bucketGround();
const { admin } = ground;

test("what people and their dashboards are told of a Bucket", async (t) => {
  const scene = await sceneOn(t, ground);
  const { controller } = scene;
  const { sidecar, name: driver } = scene.driver;
  const inPhase = async (phase: string) => await figure(controller, `portway_buckets{phase="${phase}"}`);
  // Whatever else there may be in the cluster.
  const [others, othersFailed] = [await inPhase("Bound"), await inPhase("Failed")];

  await t.test(
    "a Bucket that works out: conditions, events beside it and beside its content, and figures",
    async (t) => {
      const bucket = await newBucket(scene, await classOf(t, scene, { releasePolicy: "Delete" }));
      await bound(scene, bucket);
      const content = await untilContent(scene, bucket, "it is bound", ({ status }) => status?.phase === "Bound");
      const { status } = await untilBucket(scene, bucket, "it is bound", ({ status }) => status?.phase === "Bound");
      deepEqual(inBrief(status?.conditions), [
        "ClassResolved=True Settled",
        "DriverAvailable=True Settled",
        "BucketReady=True Settled",
        "SecretPublished=True Settled",
      ]);
      deepEqual(inBrief(content.status?.conditions), [
        "ProvisioningStarted=True Settled",
        "BucketReady=True Settled",
        "AccessGranted=True Settled",
        "Bound=True Settled",
      ]);
      deepEqual([status?.bucketContentName, status?.observedGeneration], [content.metadata.name, 1]);
      const told = await untilTold(scene, bucket, "BucketBound");
      deepEqual([told.type, told.source?.component, told.count], ["Normal", "portway-buckets", 1]);
      match(told.message ?? "", new RegExp(`The Secret ${bucket.spec.secretName} is there`));
      const ready = await untilTold(scene, content, "BucketReady");
      deepEqual([ready.type, ready.metadata.namespace, ready.source?.component], ["Normal", "default", "cosi-sidecar"]);

      await until("the controller has counted it", async () => (await inPhase("Bound")) === others + 1);
      equal(await figure(controller, 'cosi_operation_count{operation="provision"}'), 1);
      equal(await figure(controller, 'cosi_operation_total_seconds_count{operation="provision"}'), 1);
      for (const operation of ["CreateBucket"])
        equal(
          await figure(
            sidecar,
            `cosi_sidecar_operation_duration_seconds_count{driver="${driver}",operation="${operation}"}`,
          ),
          1,
        );
      equal(await figure(controller, 'workqueue_depth{controller="buckets",name="buckets",priority=""}'), 0);

      await released(scene, bucket);
      await untilTold(scene, bucket, "BucketDeleted");
      equal(await figure(controller, 'cosi_operation_count{operation="release"}'), 1);
      equal(await inPhase("Bound"), others);
      for (const operation of ["RevokeBucketAccess", "DeleteBucket"])
        equal(
          await figure(
            sidecar,
            `cosi_sidecar_operation_duration_seconds_count{driver="${driver}",operation="${operation}"}`,
          ),
          1,
        );
    },
  );

  await t.test(
    "a Bucket that does not: the same words for people and programs, and one event however often it is tried",
    async (t) => {
      const bucketIdentifier = aName();
      const bucket = await newBucket(scene, await classOf(t, scene, { bucketIdentifier }));
      const { status } = await untilBucket(scene, bucket, "it has failed", ({ status }) => status?.phase === "Failed");
      const content = await untilContent(scene, bucket, "it has failed", ({ status }) => status?.phase === "Failed");
      const { message = "" } = status ?? {};
      match(message, /The driver says: .*Ask the platform team to change the class or the store/);
      deepEqual(inWords(status?.conditions, "SecretPublished"), ["False", "DriverRefused", message]);
      deepEqual(inWords(content.status?.conditions, "AccessGranted"), [
        "False",
        "DriverRefused",
        content.status?.message,
      ]);
      await until("the controller has counted it", async () => (await inPhase("Failed")) === othersFailed + 1);
      const code = `cosi_sidecar_operation_errors_total{code="NOT_FOUND",driver="${driver}",operation="GrantBucketAccess"}`;
      ok((await figure(sidecar, code)) >= 1);
      const first = await untilTold(scene, content, "DriverRefused");
      equal(first.type, "Warning");
      // A driver that comes back is asked again at once, and says the same.
      await scene.driver.driver.stopped();
      await scene.driver.driver.start();
      await until("it was asked once more", async () => (await figure(sidecar, code)) >= 2);
      deepEqual((await told(content)).filter(({ reason }) => reason === "DriverRefused").length, 1);
      deepEqual((await told(bucket)).filter(({ reason }) => reason === "DriverRefused").length, 1);
      await released(scene, bucket);
    },
  );
});

async function told({ metadata: { uid, namespace = "default" } }: Stored<KubeObject>): Promise<readonly Event[]> {
  const pages = await Array.fromAsync(admin.pages(events, { namespace, fieldSelector: `involvedObject.uid=${uid}` }));
  return pages.flatMap(({ items }) => items);
}

/** As Prometheus reads it, labels in any order; 0 for what is not there. */
async function figure(process: Measured, series: string): Promise<number> {
  const wanted = parts(series);
  const line = (await process.metrics()).split("\n").find((one) => {
    const found = parts(one.slice(0, one.lastIndexOf(" ")));
    return found.name === wanted.name && wanted.labels.every((label) => found.labels.includes(label));
  });
  return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(" ") + 1));
}

function parts(series: string): { readonly name: string; readonly labels: readonly string[] } {
  const [name = "", rest = ""] = series.split("{");
  return {
    name,
    labels: rest
      .replace(/}$/, "")
      .split(",")
      .filter((label) => label !== "" && !label.endsWith('=""')),
  };
}

function inWords(conditions: readonly Condition[] = [], wanted: string) {
  const found = conditions.find(({ type }) => type === wanted);
  return [found?.status, found?.reason, found?.message];
}

function inBrief(conditions: readonly Condition[] = []): readonly string[] {
  return conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);
}
