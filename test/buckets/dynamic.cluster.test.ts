import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { secrets } from "../../src/api/gen/core.ts";
import { buckets } from "../../src/api/gen/cosi.ts";
import { adminClient, newNamespace } from "../fixture/client.ts";
import { installPortway } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { keysOf, s3With, statusOf } from "./keys.ts";
import { startStore } from "./store.ts";
import { bucketController, installDriver, newClass } from "./world.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());

test("a Bucket gets a real bucket with keys that work, and after its end the keys get 403", async (t) => {
  const store = await startStore(t);
  const driver = await installDriver(t, cluster, store);
  const controller = await bucketController(t, cluster);
  await controller.start();
  const { metadata } = await newClass(t, admin, { provisioner: driver.name, releasePolicy: "Delete" });
  const namespace = await newNamespace(t, admin);
  const place = { namespace, name: "photos" };
  await admin.create(buckets, {
    metadata: place,
    spec: { bucketClassName: metadata.name, secretName: "photos-keys", bucketPrefix: "Photos-" },
  });
  await until("the Bucket is bound", async () => (await admin.get(buckets, place)).status?.phase === "Bound");
  const keys = await keysOf(admin, { namespace, name: "photos-keys" });
  const s3 = s3With(t, keys);
  const object = { Bucket: keys.bucketName, Key: "a" };
  await s3.send(new PutObjectCommand({ ...object, Body: "hello" }));
  const { Body } = await s3.send(new GetObjectCommand(object));
  equal(await Body?.transformToString(), "hello");
  await admin.delete(buckets, { ...place, uid: (await admin.get(buckets, place)).metadata.uid });
  await until("the Bucket is gone", async () => (await admin.find(buckets, place)) === undefined);
  equal(await statusOf(s3.send(new GetObjectCommand(object))), 403);
  deepEqual(await admin.find(secrets, { namespace, name: "photos-keys" }), undefined);
});
