import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { persistentVolumes } from "../../src/api/gen/core.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { cloned, madeAndDeleted } from "../provision/flows/flows.ts";
import {
  claimDeleted,
  clear,
  intentsOf,
  isBound,
  isGone,
  newClaim,
  newNamespace,
  sceneOn,
  volumesOf,
} from "../provision/flows/ground.ts";
import { stageFor } from "./sweep/stage.ts";

const moreTriesMilliseconds = 3000;

test("a volume that an admin keeps at the last moment is not deleted by a process that does not see it yet", async () => {
  await using stage = await stageFor(madeAndDeleted, await laneCluster());
  const { admin, proxy } = stage;
  const { driver } = sceneOn(stage);
  const letGo = driver.play([{ method: "DeleteVolume", when: "before", fault: { code: "ABORTED" } }]);
  const world = await newClaim(await newNamespace(admin), stage);
  await until("it is bound", () => isBound(world, stage));
  await claimDeleted(world, stage);
  await until("the driver is asked to delete it", () => driver.count("DeleteVolume") > 0);
  proxy.holdWatches("persistentvolumes");
  await admin.merge(persistentVolumes, { name: world.volume }, { spec: { persistentVolumeReclaimPolicy: "Retain" } });
  // A try that was under way before is over by then.
  await sleep(moreTriesMilliseconds);
  letGo();
  const asked = driver.count("DeleteVolume");
  await sleep(moreTriesMilliseconds);
  equal(driver.count("DeleteVolume"), asked, "the driver is asked to delete what is kept");
  equal(volumesOf(world, stage).length, 1);
  proxy.releaseWatches("persistentvolumes");
  await clear(world, stage);
});

test("a claim that had its volume and is gone with it is not served again by a process that does not see it yet", async () => {
  await using stage = await stageFor(madeAndDeleted, await laneCluster());
  const { admin, proxy } = stage;
  const { driver } = sceneOn(stage);
  const letGo = driver.play([{ method: "CreateVolume", when: "after", fault: "slow", milliseconds: 1000 }]);
  const world = await newClaim(await newNamespace(admin), stage);
  const asked = () => driver.calls().filter(({ method, of }) => method === "CreateVolume" && of === world.volume);
  await until("the driver is at it", () => asked().length > 0);
  proxy.holdWatches("persistentvolumeclaims");
  await until("it is bound", () => isBound(world, stage));
  letGo();
  await claimDeleted(world, stage);
  await until("nothing is left", () => isGone(world, stage));
  await sleep(moreTriesMilliseconds);
  equal(asked().length, 1, "the volume is made once more");
  proxy.releaseWatches("persistentvolumeclaims");
  await clear(world, stage);
});

test("an empty volume in the place of a clone is taken away, though the driver does not want to and the claim has gone", async () => {
  await using stage = await stageFor(cloned, await laneCluster());
  const { driver } = sceneOn(stage);
  const letGo = driver.play([
    { method: "CreateVolume", when: "after", fault: { answer: "no-source" } },
    { method: "DeleteVolume", when: "before", fault: { code: "INTERNAL" } },
  ]);
  const world = await cloned.begin(stage);
  await until("it is made", () => volumesOf(world, stage).length > 0);
  await until("it cannot be taken away", () => driver.count("DeleteVolume") > 1);
  await claimDeleted(world, stage);
  letGo();
  await until("nothing is left", async () => {
    return (await isGone(world, stage)) && (await intentsOf(world, stage)).length === 0;
  });
  const { misuse } = driver.inventory();
  deepEqual(misuse, []);
  await clear(world, stage);
});
