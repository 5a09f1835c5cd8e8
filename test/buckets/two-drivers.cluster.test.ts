import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { ListBucketsCommand, type S3Client } from "@aws-sdk/client-s3";
import { actsOf } from "../fixture/audit.ts";
import { s3With } from "./keys.ts";
import { tried } from "./keys-at-work.ts";
import { bound, bucketGround, classOf, contentOf, newBucket, released, rootOf, sceneOn } from "./scene.ts";
import { startStore, usersOf } from "./store.ts";
import { installDriver, untilRegistered } from "./world.ts";

const ground = await bucketGround();

test("two drivers and two stores at once: neither touches what is the other's", async (t) => {
  const scene = await sceneOn(t, ground);
  const store = await startStore(t);
  const driver = await installDriver(t, ground.cluster, store);
  await untilRegistered(ground.admin, driver);
  const other = { ...scene, store, driver, root: rootOf(t, store) };
  const both = [scene, other];

  const mine = await newBucket(scene, await classOf(t, scene, { releasePolicy: "Delete" }));
  const theirs = await newBucket(other, await classOf(t, other, { releasePolicy: "Delete" }));
  const [keys, otherKeys] = [await bound(scene, mine), await bound(other, theirs)];
  deepEqual([keys.endpoint, otherKeys.endpoint], [scene.store.url, store.url]);
  deepEqual(await Promise.all(both.map(({ root }) => bucketsIn(root))), [[keys.bucketName], [otherKeys.bucketName]]);
  for (const [{ store }, { accessKeyID }] of [[scene, keys] as const, [other, otherKeys] as const])
    deepEqual([...(await usersOf(store))], [accessKeyID]);

  const contents = await Promise.all([contentOf(scene, mine), contentOf(scene, theirs)]);
  await other.driver.sidecar.stopped();
  await released(scene, mine);
  deepEqual(await bucketsIn(scene.root), []);
  equal((await tried(s3With(t, otherKeys), otherKeys.bucketName)).put, 200);
  await other.driver.sidecar.start();
  await released(other, theirs);
  deepEqual(await Promise.all(both.map(({ root }) => bucketsIn(root))), [[], []]);

  for (const [at, { driver }] of both.entries()) {
    const user = `system:serviceaccount:${driver.namespace}:${driver.namespace}`;
    const acts = (await actsOf(ground.cluster, "cosi-sidecar")).filter((act) => act.user === user);
    const touched = new Set(
      acts.flatMap(({ resource, name }) => (resource.startsWith("bucketcontents") && name !== "" ? [name] : [])),
    );
    deepEqual([...touched], [contents[at]?.metadata.name]);
    ok(acts.every(({ resource, namespace }) => resource !== "secrets" || namespace === driver.namespace));
  }
});

async function bucketsIn(root: S3Client): Promise<readonly string[]> {
  const { Buckets = [] } = await root.send(new ListBucketsCommand({}));
  return Buckets.map(({ Name = "" }) => Name);
}
