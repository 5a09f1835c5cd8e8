import { deepEqual, equal, notEqual } from "node:assert/strict";
import { test } from "node:test";
import { BucketDriver } from "../../src/rpc/gen/buckets_pb.js";
import { Controller } from "../../src/rpc/gen/csi_pb.js";
import { until } from "../fixture/portway.ts";
import { bucketInventory } from "./bucket-inventory.ts";
import { csiInventory } from "./csi-inventory.ts";
import { aVolume, connected, freshPlace, noFrom } from "./place.ts";
import { spawnDriver } from "./process.ts";

test("what a driver stored before it was killed is there when it is back, and its calls go on being counted", async (t) => {
  const place = await freshPlace(t);
  place.play([{ method: "CreateVolume", nth: 1, when: "after", fault: "hang" }]);
  const killed = await spawnDriver(t, "csi-driver.ts", place);
  const controller = connected(t, { socket: place.socket }).calls(Controller);
  const lost = noFrom(controller.createVolume(aVolume("a")));
  await until("it is stored", () => Object.keys(csiInventory(place.state).read().volumes).length === 1);
  await killed.kill("SIGKILL");
  deepEqual([(await lost).code, (await lost).trouble], ["UNAVAILABLE", "in-doubt"]);

  await spawnDriver(t, "csi-driver.ts", place);
  await until(
    "it is reached again",
    async () => (await controller.listVolumes({}).catch(() => undefined)) !== undefined,
  );
  equal((await controller.createVolume(aVolume("a"))).volume?.volumeId, "vol-1");
  const [first, second] = place.calls().filter(({ method }) => method === "CreateVolume");
  notEqual(first?.reply, "OK");
  equal(second?.reply, "OK", "the fault of the first call did not come back with the driver");
});

test("a script kills the driver before and after the act", async (t) => {
  const place = await freshPlace(t);
  place.play([
    { method: "CreateVolume", nth: 1, when: "before", fault: "die" },
    { method: "CreateVolume", nth: 2, when: "after", fault: "die" },
  ]);
  const stored = [];
  for (const _ of [1, 2]) {
    const driver = await spawnDriver(t, "csi-driver.ts", place);
    const controller = connected(t, { socket: place.socket }).calls(Controller);
    equal((await noFrom(controller.createVolume(aVolume("a")))).trouble, "in-doubt");
    await driver.ended;
    stored.push(Object.keys(csiInventory(place.state).read().volumes).length);
  }
  deepEqual(stored, [0, 1]);
});

test("a bucket driver that dies after a grant gives the same keys again", async (t) => {
  const place = await freshPlace(t);
  place.play([{ method: "GrantBucketAccess", nth: 1, when: "after", fault: "die" }]);
  const killed = await spawnDriver(t, "bucket-driver.ts", place);
  const first = connected(t, { socket: place.socket }).calls(BucketDriver);
  const { bucketId } = await first.createBucket({ name: "b" });
  await noFrom(first.grantBucketAccess({ bucketId, accountName: "a" }));
  await killed.ended;
  const [stored] = Object.values(bucketInventory(place.state).read().accounts);
  await spawnDriver(t, "bucket-driver.ts", place);
  const second = connected(t, { socket: place.socket }).calls(BucketDriver);
  const { accountId, credentials } = await second.grantBucketAccess({ bucketId, accountName: "a" });
  deepEqual([accountId, credentials["accessSecretKey"]], [stored?.id, stored?.accessSecretKey]);
});

test("a driver that is told to stop goes in peace and takes its socket along", async (t) => {
  const place = await freshPlace(t);
  const driver = await spawnDriver(t, "csi-driver.ts", place);
  await driver.kill("SIGTERM");
  await spawnDriver(t, "csi-driver.ts", place);
});
