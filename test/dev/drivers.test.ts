import { deepEqual, equal, match, ok } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { type Built, build } from "../../src/dev/build/build.ts";
import { addonParts, type Part } from "../../src/dev/build/parts.ts";
import { spawnLeashed } from "../../src/dev/component.ts";
import { partsDirectory } from "../../src/dev/paths.ts";
import { accepts } from "../../src/dev/probe.ts";
import {
  Controller,
  ControllerServiceCapability_RPC_Type as Does,
  Identity,
  PluginCapability_Service_Type as Offers,
} from "../../src/rpc/gen/csi_pb.js";
import { csiInventory } from "../driver/csi-inventory.ts";
import { aVolume, connected, freshPlace, noFrom } from "../driver/place.ts";
import { spawnDriver } from "../driver/process.ts";
import { until } from "../fixture/portway.ts";

const terminal = { result() {}, say() {}, progress() {} };

async function built(part: Part): Promise<Built> {
  const place = { directory: partsDirectory(process.env), terminal, stop: new AbortController().signal };
  return await build(part, place);
}

test("the scripted CSI driver passes the conformance suite of kubernetes-csi, and leaves nothing behind", async (t) => {
  const sanity = await built(addonParts["csi-sanity"]);
  const place = await freshPlace(t);
  const directory = dirname(place.socket);
  const mutable = join(directory, "mutable.yaml");
  await writeFile(mutable, "tier: gold\n");
  await spawnDriver(t, "csi-driver.ts", place);
  const args = [
    `--csi.endpoint=unix://${place.socket}`,
    `--csi.mountdir=${join(directory, "mount")}`,
    `--csi.stagingdir=${join(directory, "stage")}`,
    `--csi.testvolumemutableparameters=${mutable}`,
    "--ginkgo.focus=Controller Service|Controller Server|Identity Service",
    "--ginkgo.skip=Node Service|GroupController",
    "--ginkgo.no-color",
  ];
  const suite = spawn(sanity.program("csi-sanity"), args, { stdio: ["ignore", "pipe", "ignore"] });
  const [said] = await Promise.all([text(suite.stdout), once(suite, "close")]);
  match(said, /SUCCESS! -- \d+ Passed \| 0 Failed/, said);
  const passed = Number(/(\d+) Passed/.exec(said)?.[1]);
  ok(passed >= 60, `only ${passed} specs ran`);
  const { volumes, snapshots } = csiInventory(place.state).read();
  deepEqual([volumes, snapshots], [{}, {}]);
});

/** csi-driver-host-path as a plain process, without a cluster. */
async function hostpath(t: TestContext): Promise<{ readonly socket: string; readonly volumes: string }> {
  const part = await built(addonParts.hostpath);
  const { socket, state: volumes } = await freshPlace(t);
  await mkdir(volumes);
  const args = [`--endpoint=unix://${socket}`, "--nodeid=portway-dev", `--statedir=${volumes}`];
  const child = spawnLeashed(part.program("hostpathplugin"), args, { stdio: "ignore" });
  const ended = once(child, "exit");
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  await until("the host-path driver listens", async () => await accepts(socket));
  return { socket, volumes };
}

test("our client and the real host-path driver understand each other", async (t) => {
  const { socket, volumes } = await hostpath(t);
  const driver = connected(t, { socket });
  const [identity, controller] = [driver.calls(Identity), driver.calls(Controller)];

  const info = await identity.getPluginInfo({});
  equal(info.name, "hostpath.csi.k8s.io");
  match(info.vendorVersion, /^v1\.7\./);
  equal((await identity.probe({})).ready, undefined, "an answer without a word means ready");
  const plugin = (await identity.getPluginCapabilities({})).capabilities;
  ok(plugin.some(({ type }) => type.case === "service" && type.value.type === Offers.CONTROLLER_SERVICE));
  const does = (await controller.controllerGetCapabilities({})).capabilities.map(({ type }) => type.value?.type);
  for (const needed of [Does.CREATE_DELETE_VOLUME, Does.CREATE_DELETE_SNAPSHOT, Does.CLONE_VOLUME])
    ok(does.includes(needed), Does[needed]);

  const { volume } = await controller.createVolume(aVolume("pvc-1"));
  const volumeId = volume?.volumeId ?? "";
  equal(volume?.capacityBytes, 1n << 30n);
  ok(existsSync(join(volumes, volumeId)), "a volume is a directory of the driver");
  equal((await controller.createVolume(aVolume("pvc-1"))).volume?.volumeId, volumeId);

  const other = { ...aVolume("pvc-1"), capacityRange: { requiredBytes: 2n << 30n } };
  const no = await noFrom(controller.createVolume(other));
  deepEqual([no.code, no.trouble], ["ALREADY_EXISTS", "refused"]);
  const snapshotOf = { name: "snap-1", sourceVolumeId: volumeId, secrets: { user: "s3cret" } };
  const { snapshot } = await controller.createSnapshot(snapshotOf);
  equal(snapshot?.sourceVolumeId, volumeId);
  ok((snapshot?.creationTime?.seconds ?? 0n) > 0n);

  await controller.deleteSnapshot({ snapshotId: snapshot?.snapshotId ?? "" });
  await controller.deleteVolume({ volumeId });
  equal(existsSync(join(volumes, volumeId)), false);
  equal((await controller.listVolumes({})).entries.length, 0);
});
