import { volumeSnapshotContents, volumeSnapshots } from "../../../src/api/gen/snapshot.ts";
import type { SnapshotWish } from "./case.ts";
import type { Scene } from "./scene.ts";
import { filled } from "./words.ts";

const apiVersion = "snapshot.storage.k8s.io/v1";

/**
 * A snapshot in the driver, and its objects as the snapshotter beside a driver would write them: the real snapshot controller
 * binds them to each other. Answers whether it did.
 */
export async function takeSnapshot(scene: Scene, wish: SnapshotWish): Promise<boolean> {
  const { admin, sight, namespace, station, words } = scene;
  const { snapshot: name, claim, ready: readyToUse = true, driver = "$driver", annotations = {} } = wish;
  const volume = scene.knownVolume(claim);
  const content = { name: `${namespace}-${name}` };
  const sourceVolumeId = volume.spec?.csi?.volumeHandle ?? "";
  const taken = await station.controller.createSnapshot({ name: content.name, sourceVolumeId });
  const handle = taken.snapshot?.snapshotId ?? "";
  scene.handles.set(handle, `<handle of snapshot ${name}>`);
  const stored = await admin.create(volumeSnapshotContents, {
    apiVersion,
    kind: "VolumeSnapshotContent",
    metadata: { ...content, annotations },
    spec: {
      deletionPolicy: "Retain",
      driver: filled(driver, words),
      source: { snapshotHandle: handle },
      sourceVolumeMode: "Filesystem",
      volumeSnapshotRef: { namespace, name },
    },
  });
  scene.litter.push([volumeSnapshotContents, stored]);
  await admin.create(volumeSnapshots, {
    apiVersion,
    kind: "VolumeSnapshot",
    metadata: { namespace, name },
    spec: { source: { volumeSnapshotContentName: content.name } },
  });
  const snapshot = () => sight.now(volumeSnapshots, `${namespace}/${name}`);
  if (!(await sight.until(() => snapshot()?.status?.boundVolumeSnapshotContentName === content.name))) return false;
  const status = { snapshotHandle: handle, readyToUse, restoreSize: sizeOf(volume), creationTime: Date.now() * 1e6 };
  await admin.merge(volumeSnapshotContents, content, { status }, { subresource: "status" });
  return await sight.until(() => {
    const { readyToUse: isReady, restoreSize } = snapshot()?.status ?? {};
    return isReady === readyToUse && restoreSize !== undefined;
  });
}

/** Volumes of the cases are of a whole number of MiB. */
function sizeOf(volume: ReturnType<Scene["knownVolume"]>): number {
  const text = volume.spec?.capacity?.["storage"] ?? "";
  const mebibytes = /^(\d+)Mi$/.exec(String(text))?.[1];
  if (mebibytes === undefined) throw new Error(`a snapshot of a volume of ${String(text)} was not thought of`);
  return Number(mebibytes) * 1024 ** 2;
}
