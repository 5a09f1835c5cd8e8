import { persistentVolumeClaims, persistentVolumes } from "../../../src/api/gen/core.ts";
import { volumeSnapshotContents, volumeSnapshots } from "../../../src/api/gen/snapshot.ts";
import type { Flow, Stage } from "../../faults/sweep/flow.ts";
import { randomWord } from "../../fixture/client.ts";
import { until } from "../../fixture/portway.ts";
import {
  claimDeleted,
  clear,
  deed,
  gibibyte,
  isBound,
  isClosed,
  isGone,
  newClaim,
  newNamespace,
  provisionGround,
  sceneOn,
  type World,
} from "./ground.ts";
import { endsAs, gone } from "./picture.ts";

type Settled = Flow<World>["isSettled"];

const every =
  (...said: readonly Settled[]): Settled =>
  async (world, stage) => {
    for (const isSaid of said) if (!(await isSaid(world, stage))) return false;
    return true;
  };

const isDone = every(isBound, isClosed);

/** Asked for, made, bound; and when that is over, deleted. */
export const madeAndDeleted: Flow<World> = {
  ...provisionGround,
  name: "volume made and deleted",
  budget: 5,
  async begin(stage) {
    const world = await newClaim(await newNamespace(stage.admin), stage);
    deed(
      world,
      "it is bound",
      async () => await isDone(world, stage),
      () => claimDeleted(world, stage),
    );
    return world;
  },
  isSettled: every(isGone, isClosed),
  picture: gone,
};

/** The claim goes while the driver is at it: what is made all the same comes to light, and goes. */
export const deletedMeanwhile: Flow<World> = {
  ...madeAndDeleted,
  name: "claim deleted while its volume is made",
  async begin(stage) {
    const { driver } = sceneOn(stage);
    driver.usually([{ method: "CreateVolume", when: "after", fault: "slow", milliseconds: 700 }]);
    const world = await newClaim(await newNamespace(stage.admin), stage);
    const isAtIt = async () =>
      driver.calls().some(({ method, of }) => method === "CreateVolume" && of === world.volume);
    deed(world, "the driver is at it", isAtIt, () => claimDeleted(world, stage));
    return world;
  },
};

/** Kept by an admin before the claim goes: it stays, and nothing holds it any more. */
export const keptByAnAdmin: Flow<World> = {
  ...provisionGround,
  name: "volume kept by an admin",
  budget: 4,
  async begin(stage) {
    const { admin } = stage;
    const world = await newClaim(await newNamespace(admin), stage);
    const { volume: name } = world;
    deed(
      world,
      "it is bound",
      async () => await isDone(world, stage),
      async () => {
        await admin.merge(persistentVolumes, { name }, { spec: { persistentVolumeReclaimPolicy: "Retain" } });
        await until(
          "it is free",
          async () => (await admin.get(persistentVolumes, { name })).metadata.finalizers?.length === 1,
        );
        await claimDeleted(world, stage);
      },
    );
    return world;
  },
  isSettled: every(async ({ volume: name }, { admin }) => {
    const stored = await admin.find(persistentVolumes, { name });
    return stored?.status?.phase === "Released";
  }, isClosed),
  picture: endsAs({ claim: "none", volume: "Released, Retain, free", inDriver: ["the volume's"] }),
};

/** Filled from another claim, which is held meanwhile. */
export const cloned: Flow<World> = {
  ...provisionGround,
  name: "clone",
  budget: 5,
  async begin(stage) {
    const namespace = await newNamespace(stage.admin);
    const sourceVolume = await sourceClaim(namespace, stage);
    const dataSource = { kind: "PersistentVolumeClaim", name: "source" };
    return { ...(await newClaim(namespace, stage, { dataSource })), sourceVolume };
  },
  isSettled: every(isDone, async ({ namespace }, { admin }) => {
    const { metadata } = await admin.get(persistentVolumeClaims, { namespace, name: "source" });
    return metadata.finalizers?.some((one) => one.startsWith("provisioner.storage")) !== true;
  }),
  picture: endsAs({ claim: "Bound", volume: "Bound, Delete, held", inDriver: ["the volume's, of the source"] }),
};

/** Written down by an admin, so that the process has nothing to do with it. */
async function sourceClaim(namespace: string, stage: Stage): Promise<string> {
  const { admin } = stage;
  const { driver, className, sourceHandle } = sceneOn(stage);
  const volume = `source-${randomWord()}`;
  const shared = { accessModes: ["ReadWriteOnce" as const], storageClassName: className };
  await admin.create(persistentVolumes, {
    metadata: { name: volume },
    spec: {
      ...shared,
      capacity: { storage: "1Gi" },
      claimRef: { namespace, name: "source" },
      csi: { driver: driver.name, volumeHandle: sourceHandle },
      persistentVolumeReclaimPolicy: "Retain",
    },
  });
  await admin.create(persistentVolumeClaims, {
    metadata: { namespace, name: "source" },
    spec: { ...shared, resources: { requests: { storage: "1Gi" } }, volumeName: volume },
  });
  await until("the source is bound", async () => {
    const { status } = await admin.get(persistentVolumeClaims, { namespace, name: "source" });
    const { status: of } = await admin.get(persistentVolumes, { name: volume });
    return status?.phase === "Bound" && of?.phase === "Bound";
  });
  return volume;
}

/** Filled from a snapshot. The vendor's role does not let it be held. */
export const restored: Flow<World> = {
  ...provisionGround,
  name: "snapshot restored",
  budget: 3,
  async begin(stage) {
    const namespace = await newNamespace(stage.admin);
    await readySnapshot(namespace, stage);
    const dataSource = { apiGroup: volumeSnapshots.group, kind: "VolumeSnapshot", name: "source" };
    return await newClaim(namespace, stage, { dataSource });
  },
  isSettled: isDone,
  picture: endsAs({ claim: "Bound", volume: "Bound, Delete, held", inDriver: ["the volume's, of the snapshot"] }),
  async clear(world, stage) {
    await clear(world, stage);
    const content = await stage.admin.find(volumeSnapshotContents, { name: world.namespace });
    if (content !== undefined)
      await stage.admin.delete(volumeSnapshotContents, { name: world.namespace, uid: content.metadata.uid });
  },
};

const apiVersion = "snapshot.storage.k8s.io/v1";

/** As the snapshotter beside the driver would write it; the real snapshot controller binds the two. */
async function readySnapshot(namespace: string, stage: Stage): Promise<void> {
  const { admin } = stage;
  const { driver, snapshotHandle } = sceneOn(stage);
  const content = { name: namespace };
  await admin.create(volumeSnapshotContents, {
    apiVersion,
    kind: "VolumeSnapshotContent",
    metadata: content,
    spec: {
      deletionPolicy: "Retain",
      driver: driver.name,
      source: { snapshotHandle },
      sourceVolumeMode: "Filesystem",
      volumeSnapshotRef: { namespace, name: "source" },
    },
  });
  await admin.create(volumeSnapshots, {
    apiVersion,
    kind: "VolumeSnapshot",
    metadata: { namespace, name: "source" },
    spec: { source: { volumeSnapshotContentName: namespace } },
  });
  const snapshot = async () => await admin.get(volumeSnapshots, { namespace, name: "source" });
  await until(
    "the snapshot is bound",
    async () => (await snapshot()).status?.boundVolumeSnapshotContentName !== undefined,
  );
  const status = { snapshotHandle, readyToUse: true, restoreSize: Number(gibibyte), creationTime: Date.now() * 1e6 };
  await admin.merge(volumeSnapshotContents, content, { status }, { subresource: "status" });
  await until("the snapshot is ready", async () => (await snapshot()).status?.readyToUse === true);
}

export const provisionFlows: readonly Flow<World>[] = [
  madeAndDeleted,
  deletedMeanwhile,
  keptByAnAdmin,
  cloned,
  restored,
];
