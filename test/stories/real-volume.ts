import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { volumeSnapshots } from "../../src/api/gen/snapshot.ts";
import type { ObjectKey } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import type { Ground } from "../faults/sweep/flow.ts";
import { claimThatIs } from "../fixture/binding.ts";
import { until } from "../fixture/portway.ts";

/** A volume of host-path, as its owner sees it, as the administrator sees it, and as it lies on the disk. */
export interface RealVolume {
  readonly name: string;
  readonly uid: string;
  readonly handle: string;
  readonly policy: string | undefined;
  readonly directory: string;
}

/** The volume behind a bound claim. */
export async function volumeOf(cluster: Ground, admin: Client, claim: ObjectKey): Promise<RealVolume> {
  const { spec } = await admin.get(persistentVolumeClaims, claim);
  const volume = await admin.get(persistentVolumes, { name: spec?.volumeName ?? "" });
  const handle = volume.spec?.csi?.volumeHandle ?? "";
  return {
    name: volume.metadata.name,
    uid: volume.metadata.uid,
    handle,
    policy: volume.spec?.persistentVolumeReclaimPolicy,
    // host-path keeps a volume in a directory named after its handle.
    directory: join(cluster.state.env["PORTWAY_DEV_VOLUMES"] ?? "", handle),
  };
}

/** A claim of the class whose volumes are destroyed when they are released. */
export async function newRealClaim(
  as: Client,
  key: { readonly namespace: string; readonly name: string },
  more: { readonly dataSource?: object; readonly finalizers?: readonly string[] } = {},
): Promise<void> {
  const { dataSource, finalizers } = more;
  await as.create(persistentVolumeClaims, {
    metadata: { ...key, ...(finalizers === undefined ? {} : { finalizers }) },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "hostpath",
      resources: { requests: { storage: "16Mi" } },
      ...(dataSource === undefined ? {} : { dataSource: dataSource as { kind: string; name: string } }),
    },
  });
  await claimThatIs("Bound", as, key);
}

const file = "data.raw";

export async function writeInto({ directory }: RealVolume, bytes: Buffer | string): Promise<void> {
  await writeFile(join(directory, file), bytes);
}

export async function hashIn({ directory }: RealVolume): Promise<string> {
  return createHash("sha256")
    .update(await readFile(join(directory, file)))
    .digest("hex");
}

export function isOnDisk({ directory }: RealVolume): boolean {
  return existsSync(directory);
}

/** A snapshot that can be restored. Platform teams take them at regular intervals; tenants have no right to. */
export async function snapshotOf(admin: Client, claim: { readonly namespace: string; readonly name: string }) {
  const { namespace } = claim;
  const name = `${claim.name}-nightly`;
  await admin.create(volumeSnapshots, {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshot",
    metadata: { namespace, name },
    spec: { volumeSnapshotClassName: "hostpath", source: { persistentVolumeClaimName: claim.name } },
  });
  await until(`the snapshot ${name} is ready`, async () => {
    return (await admin.get(volumeSnapshots, { namespace, name })).status?.readyToUse === true;
  });
  return { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name };
}
