import type { PersistentVolume, PersistentVolumeClaim } from "../api/gen/core.ts";
import type { KubeObject, Stored } from "../api/object.ts";
import { bare } from "../runtime/bare.ts";
import {
  cloneFinalizer,
  deletionSecretAnnotations,
  migratedToAnnotation,
  provisionedByAnnotation,
  storageProvisionerAnnotation,
} from "./names.ts";
import { isVolumeOf, provisionerOf } from "./ownership.ts";

export type Claim = Stored<PersistentVolumeClaim>;
export type Volume = Stored<PersistentVolume>;

/**
 * What is kept in memory of claims and volumes. A cluster has more of others than of any one driver: those are a name and nothing
 * else. Of a driver's own, most have been settled long ago: only what may still be asked about them is kept.
 */
export function keptClaim(claim: Claim, driver: string): Claim {
  const isSource = claim.metadata.finalizers?.includes(cloneFinalizer) === true;
  const isOurs = provisionerOf(claim) === driver;
  if (!isOurs && !isSource) return nameOnly(claim);
  const { volumeName = "", storageClassName } = claim.spec ?? {};
  if (volumeName === "") return bare(claim);
  const { deletionTimestamp, finalizers = [] } = claim.metadata;
  return {
    metadata: {
      ...namesIn(claim.metadata),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(isOurs ? { annotations: { [storageProvisionerAnnotation]: driver } } : {}),
      ...(isSource ? { finalizers } : {}),
    },
    spec: storageClassName === undefined ? { volumeName } : { volumeName, storageClassName },
  };
}

/** Who made it, and with which Secret it is deleted. */
const marks = [
  provisionedByAnnotation,
  migratedToAnnotation,
  deletionSecretAnnotations.name,
  deletionSecretAnnotations.namespace,
];

/** What its end may depend on. */
export function keptVolume(volume: Volume, driver: string): Volume {
  if (!isVolumeOf(volume, driver)) return nameOnly(volume);
  const { deletionTimestamp, finalizers, annotations = {} } = volume.metadata;
  const { persistentVolumeReclaimPolicy, storageClassName, claimRef, csi } = volume.spec ?? {};
  return {
    metadata: {
      ...namesIn(volume.metadata),
      annotations: picked(annotations, marks),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    spec: {
      ...(persistentVolumeReclaimPolicy === undefined ? {} : { persistentVolumeReclaimPolicy }),
      ...(storageClassName === undefined ? {} : { storageClassName }),
      ...(claimRef === undefined ? {} : { claimRef: picked(claimRef, ["namespace", "name", "uid"]) }),
      ...(csi === undefined ? {} : { csi: { driver: csi.driver, volumeHandle: csi.volumeHandle } }),
    },
    ...(volume.status?.phase === undefined ? {} : { status: { phase: volume.status.phase } }),
  };
}

type Names = Pick<Stored<KubeObject>["metadata"], "name" | "namespace" | "uid" | "resourceVersion">;

export function namesIn({ name, namespace, uid, resourceVersion }: Names): Names {
  return namespace === undefined ? { name, uid, resourceVersion } : { name, namespace, uid, resourceVersion };
}

function nameOnly<T extends KubeObject>({ metadata }: Stored<T>): Stored<KubeObject> {
  return { metadata: namesIn(metadata) };
}

function picked<T extends object, K extends keyof T>(from: T, members: readonly K[]): Pick<T, K> {
  const found: Partial<T> = {};
  for (const member of members) if (from[member] !== undefined) found[member] = from[member];
  return found as Pick<T, K>;
}
