import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { GetObjectCommand, ListBucketsCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { versitygw } from "../../src/buckets/driver/store/versitygw.ts";
import { AccessMode, BucketDriver } from "../../src/rpc/gen/buckets_pb.js";
import { connected, noFrom } from "../driver/place.ts";
import { daemon } from "../fixture/daemon.ts";
import { freshCache, until } from "../fixture/portway.ts";
import { keysIn } from "./driver-ground.ts";
import { codeOf } from "./driver-inventory.ts";
import { type HeldStore, holdable } from "./held-store.ts";
import { s3With, statusOf } from "./keys.ts";
import { startStore } from "./store.ts";

const masterKey = "the master key of a driver that dies";

/** `portway s3-driver` as it ships, on a store whose requests can be stopped. */
async function mortalDriver(t: TestContext) {
  const store = await startStore(t);
  const held = await holdable(t, store.url);
  const socket = `unix://${join(await freshCache(t), "cosi.sock")}`;
  const driver = daemon(t, {
    what: "the driver",
    args: [
      "s3-driver",
      `--endpoint=${socket}`,
      `--store-endpoint=${held.url}`,
      `--public-endpoint=${store.url}`,
      "-v=4",
    ],
    env: {
      PORTWAY_S3_ROOT_ACCESS_KEY: store.root.access,
      PORTWAY_S3_ROOT_SECRET_KEY: store.root.secret,
      PORTWAY_S3_MASTER_KEY: masterKey,
    },
    atWork: '"listening"',
  });
  const keys = { accessKeyID: store.root.access, accessSecretKey: store.root.secret };
  const url = new URL(store.url);
  const direct = versitygw({ url, adminUrl: url, region: store.region, keys, timeoutSeconds: 30 });
  const root = s3With(t, { endpoint: store.url, region: store.region, bucketName: "", ...keys });
  await driver.start();
  return {
    driver,
    held,
    secrets: [store.root.secret, masterKey],
    buckets: () => connected(t, { socket }).calls(BucketDriver),
    async inventory() {
      const { Buckets = [] } = await root.send(new ListBucketsCommand());
      return { buckets: Buckets.map(({ Name }) => Name), users: [...(await direct.listUsers())] };
    },
  };
}

type Mortal = Awaited<ReturnType<typeof mortalDriver>>;

const made = { name: "photos", accountName: "one", accessMode: AccessMode.READ_WRITE };
const [object, whole] = [{ Bucket: "photos", Key: "a" }, { timeoutSeconds: 60 }];

/** Kills the driver at each of its requests to the store, before and after the store has done it. */
async function atEachRequest(
  mortal: Mortal,
  call: () => Promise<unknown>,
  between: (says: string) => Promise<void>,
): Promise<readonly string[]> {
  const all = await requestsOf(mortal.held, call);
  await between("not killed");
  for (const [index, asked] of all.entries())
    for (const when of ["before", "after"] as const) {
      const stopped = mortal.held.hold(index + 1, when);
      const lost = noFrom(call());
      await stopped;
      await mortal.driver.killed();
      equal((await lost).trouble, "in-doubt");
      await mortal.driver.start();
      await between(`killed ${when} ${asked}`);
    }
  return all;
}

async function requestsOf(held: HeldStore, call: () => Promise<unknown>): Promise<readonly string[]> {
  void held.hold(0, "before");
  await call();
  return [...held.seen];
}

test("a driver killed at any request of a create with an account answers the same keys when it is back", async (t) => {
  const mortal = await mortalDriver(t);
  const firsts = new Set<string>();
  const all = await atEachRequest(
    mortal,
    () => mortal.buckets().createBucket(made, whole),
    async (says) => {
      const granted = await mortal.buckets().createBucket(made, whole);
      const s3 = s3With(t, keysIn(granted));
      firsts.add(granted.credentials["accessSecretKey"] ?? "");
      equal(await statusOf(s3.send(new PutObjectCommand({ ...object, Body: "1" }))), 200, says);
      deepEqual(await mortal.inventory(), { buckets: ["photos"], users: [granted.accountId] }, says);
      await mortal.buckets().revokeBucketAccess({ bucketName: "photos", accountName: "one" });
      equal(await codeOf(s3.send(new GetObjectCommand(object))), "InvalidAccessKeyId", says);
      await mortal.buckets().deleteBucket({ name: "photos", purge: true });
      deepEqual(await mortal.inventory(), { buckets: [], users: [] }, says);
    },
  );
  ok(all.length >= 4, all.join());
  equal(firsts.size, 1, "the keys of an account never change");
  for (const secret of [...mortal.secrets, ...firsts]) ok(!mortal.driver.said().includes(secret));
  equal(await mortal.driver.stopped(), 0);
});

test("a driver killed at any request of a create is given back by names alone, without a leftover", async (t) => {
  const mortal = await mortalDriver(t);
  await atEachRequest(
    mortal,
    () => mortal.buckets().createBucket(made, whole),
    async (says) => {
      await mortal.buckets().revokeBucketAccess({ bucketName: "photos", accountName: "one" });
      await mortal.buckets().deleteBucket({ name: "photos" });
      deepEqual(await mortal.inventory(), { buckets: [], users: [] }, says);
    },
  );
});

test("a driver killed at any request of a revoke has revoked when it is asked again", async (t) => {
  const mortal = await mortalDriver(t);
  const revoked = { bucketId: "photos", accountName: "one" };
  let s3 = s3With(t, keysIn(await mortal.buckets().createBucket(made)));
  const all = await atEachRequest(
    mortal,
    () => mortal.buckets().revokeBucketAccess(revoked, whole),
    async (says) => {
      await mortal.buckets().revokeBucketAccess(revoked, whole);
      equal(await codeOf(s3.send(new GetObjectCommand(object))), "InvalidAccessKeyId", says);
      deepEqual(await mortal.inventory(), { buckets: ["photos"], users: [] }, says);
      s3 = s3With(t, keysIn(await mortal.buckets().createBucket(made)));
      equal(await statusOf(s3.send(new PutObjectCommand({ ...object, Body: "1" }))), 200, says);
    },
  );
  ok(all.length >= 3, all.join());
});

test("a revoke waits for a grant that was given up, or the grant would bring its user back", async (t) => {
  const mortal = await mortalDriver(t);
  const [{ held }, driver] = [mortal, mortal.buckets()];
  await driver.createBucket({ name: "photos" });
  const account = { bucketId: "photos", accountName: "one" };
  const s3 = s3With(t, keysIn(await driver.grantBucketAccess(account)));
  await driver.revokeBucketAccess(account);

  const all = await requestsOf(held, () => driver.grantBucketAccess(account));
  await driver.revokeBucketAccess(account);
  const stopped = held.hold(all.findIndex((one) => one.includes("create-user")) + 1, "before");
  const lost = noFrom(driver.grantBucketAccess(account, { timeoutSeconds: 5 }));
  await stopped;
  equal((await lost).code, "DEADLINE_EXCEEDED");
  const revoked = driver.revokeBucketAccess(account, whole);
  await Promise.race([revoked, sleep(1000)]);
  held.release();
  await revoked;
  await until("the grant has ended too", () => held.seen.some((one) => one.includes("delete-user")));
  await sleep(200);
  equal(await codeOf(s3.send(new GetObjectCommand(object))), "InvalidAccessKeyId");
  deepEqual(await mortal.inventory(), { buckets: ["photos"], users: [] });
});
