import { deepEqual, equal, match } from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ControllerServiceCapability_RPC_Type as Does, Identity, Node } from "../../src/rpc/gen/csi_pb.js";
import { csiInventory, snapshotDirectory, volumeDirectory } from "./csi-inventory.ts";
import { aVolume, connected, csiWorld, noFrom } from "./place.ts";

test("a volume is a directory, made once for its name and gone when it is deleted, as often as one asks", async (t) => {
  const { controller, place } = await csiWorld(t);
  const { volume } = await controller.createVolume(aVolume("a"));
  deepEqual([volume?.volumeId, volume?.capacityBytes], ["vol-1", 1n << 30n]);
  deepEqual((await controller.createVolume(aVolume("a"))).volume, volume);
  equal(existsSync(volumeDirectory(place.state, "vol-1")), true);
  await controller.deleteVolume({ volumeId: "vol-1" });
  await controller.deleteVolume({ volumeId: "vol-1" });
  equal(existsSync(volumeDirectory(place.state, "vol-1")), false);
  equal((await controller.createVolume(aVolume("a"))).volume?.volumeId, "vol-2", "an id is never used again");
  deepEqual(csiInventory(place.state).read().deleted, [{ id: "vol-1", name: "a" }]);
});

test("the same name in another way is refused, and written down as a mistake of the caller", async (t) => {
  const { controller, place } = await csiWorld(t);
  await controller.createVolume({ ...aVolume("a"), parameters: { x: "1", y: "2" } });
  await controller.createVolume({ ...aVolume("a"), parameters: { y: "2", x: "1" }, secrets: { new: "password" } });
  deepEqual(csiInventory(place.state).read().misuse, [], "the order of maps and a rotated secret are no difference");
  const others = [{ parameters: { x: "2" } }, { capacityRange: { requiredBytes: 2n << 30n } }];
  for (const other of others)
    equal((await noFrom(controller.createVolume({ ...aVolume("a"), ...other }))).code, "ALREADY_EXISTS");
  const { misuse } = csiInventory(place.state).read();
  deepEqual(
    misuse.map(({ method, of }) => `${method} ${of}`),
    ["CreateVolume a", "CreateVolume a"],
  );
  match(misuse[0]?.says ?? "", /asked first for .*"x":"1".*then for .*"x":"2"/);
});

test("a clone and a snapshot hold the files of that moment, and a restored volume holds them again", async (t) => {
  const { controller, place } = await csiWorld(t);
  const file = (volume: string) => join(volumeDirectory(place.state, volume), "data");
  await controller.createVolume(aVolume("source"));
  await writeFile(file("vol-1"), "before");
  const { snapshot } = await controller.createSnapshot({ name: "s", sourceVolumeId: "vol-1" });
  const clone = { type: { case: "volume", value: { volumeId: "vol-1" } } } as const;
  await controller.createVolume({ ...aVolume("clone"), volumeContentSource: clone });
  await writeFile(file("vol-1"), "after");
  const restore = { type: { case: "snapshot", value: { snapshotId: snapshot?.snapshotId ?? "" } } } as const;
  const { volume } = await controller.createVolume({ ...aVolume("restored"), volumeContentSource: restore });
  equal(volume?.contentSource?.type.case, "snapshot");
  deepEqual(await Promise.all(["vol-3", "vol-4", "vol-1"].map((id) => readFile(file(id), "utf8"))), [
    "before",
    "before",
    "after",
  ]);
  await controller.deleteSnapshot({ snapshotId: "snap-2" });
  equal(existsSync(snapshotDirectory(place.state, "snap-2")), false);
  equal((await controller.listSnapshots({})).entries.length, 0);
});

test("a source that is not there, or is larger than what is asked for, is refused", async (t) => {
  const { controller } = await csiWorld(t);
  await controller.createVolume(aVolume("source"));
  const from = (volumeId: string) => ({ type: { case: "volume", value: { volumeId } } }) as const;
  const missing = controller.createVolume({ ...aVolume("c"), volumeContentSource: from("vol-9") });
  equal((await noFrom(missing)).code, "NOT_FOUND");
  const small = { ...aVolume("c"), capacityRange: { requiredBytes: 1n }, volumeContentSource: from("vol-1") };
  equal((await noFrom(controller.createVolume(small))).code, "OUT_OF_RANGE");
});

test("a volume is published, expanded, modified, and not deleted while a node has it", async (t) => {
  const { controller, place } = await csiWorld(t);
  await controller.createVolume(aVolume("a"));
  const [volumeCapability] = aVolume("a").volumeCapabilities;
  if (volumeCapability === undefined) throw new Error("a volume has a capability");
  await controller.controllerPublishVolume({ volumeId: "vol-1", nodeId: "portway-dev", volumeCapability });
  equal((await noFrom(controller.deleteVolume({ volumeId: "vol-1" }))).code, "FAILED_PRECONDITION");
  await controller.controllerUnpublishVolume({ volumeId: "vol-1" });
  const grown = { volumeId: "vol-1", capacityRange: { requiredBytes: 2n << 30n } };
  equal((await controller.controllerExpandVolume(grown)).capacityBytes, 2n << 30n);
  await controller.controllerModifyVolume({ volumeId: "vol-1", mutableParameters: { tier: "gold" } });
  deepEqual(csiInventory(place.state).read().volumes["vol-1"]?.mutableParameters, { tier: "gold" });
  equal((await controller.getCapacity({})).availableCapacity, (1n << 50n) - (2n << 30n));
});

test("a list comes in pages, and a token of another list is refused", async (t) => {
  const { controller } = await csiWorld(t);
  for (const name of ["a", "b", "c"]) await controller.createVolume(aVolume(name));
  const first = await controller.listVolumes({ maxEntries: 2 });
  const second = await controller.listVolumes({ maxEntries: 2, startingToken: first.nextToken });
  deepEqual(
    [...first.entries, ...second.entries].map(({ volume }) => volume?.volumeId),
    ["vol-1", "vol-2", "vol-3"],
  );
  equal(second.nextToken, "");
  equal((await noFrom(controller.listVolumes({ startingToken: "odd" }))).code, "ABORTED");
});

test("a driver does only what it says it can do", async (t) => {
  const { controller, place } = await csiWorld(t, {
    name: "other.csi.portway.dev",
    capabilities: ["CREATE_DELETE_VOLUME"],
    topology: { zone: "east" },
  });
  const { capabilities } = await controller.controllerGetCapabilities({});
  deepEqual(
    capabilities.map(({ type }) => type.value?.type),
    [Does.CREATE_DELETE_VOLUME],
  );
  equal((await noFrom(controller.listVolumes({}))).code, "UNIMPLEMENTED");
  const { volume } = await controller.createVolume(aVolume("a"));
  deepEqual(volume?.accessibleTopology[0]?.segments, { zone: "east" });
  const driver = connected(t, { socket: place.socket });
  equal((await driver.calls(Identity).getPluginInfo({})).name, "other.csi.portway.dev");
  equal((await driver.calls(Identity).getPluginCapabilities({})).capabilities.length, 2);
  deepEqual((await driver.calls(Node).nodeGetInfo({})).accessibleTopology?.segments, { zone: "east" });
});
