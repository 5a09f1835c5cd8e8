import { defined } from "../../../src/api/defined.ts";
import type { Make, Step, Template } from "./case.ts";

interface ClaimWish {
  readonly className?: string;
  readonly modes?: readonly string[];
  readonly size?: string;
  readonly volumeMode?: "Block" | "Filesystem";
  readonly annotations?: Readonly<Record<string, string>>;
  readonly dataSource?: { readonly apiGroup?: string; readonly kind: string; readonly name: string };
  readonly dataSourceRef?: ClaimWish["dataSource"];
  readonly selector?: object;
  readonly volumeName?: string;
}

export function claim(name: string, wish: ClaimWish = {}): Make {
  const { className = "$case", modes = ["ReadWriteOnce"], size = "16Mi", annotations, ...rest } = wish;
  return make({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, ...defined({ annotations }) },
    spec: { accessModes: modes, storageClassName: className, resources: { requests: { storage: size } }, ...rest },
  });
}

interface ClassWish {
  readonly name?: string;
  readonly provisioner?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly mountOptions?: readonly string[];
  readonly reclaimPolicy?: "Delete" | "Retain";
  readonly volumeBindingMode?: "Immediate" | "WaitForFirstConsumer";
  readonly allowedTopologies?: readonly object[];
}

/** One whose name is the case's, unless it says otherwise. */
export function storageClass({ name = "$case", provisioner = "$driver", ...rest }: ClassWish = {}): Make {
  return make({ apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name }, provisioner, ...rest });
}

export function secret(name: string, stringData: Readonly<Record<string, string>>): Step {
  return make({ apiVersion: "v1", kind: "Secret", metadata: { name }, stringData });
}

/** A pod that nobody runs, on one node of the run, so that the scheduler has a reason to choose it. */
export function pod(
  name: string,
  { claims, node }: { readonly claims: readonly string[]; readonly node: string },
): Step {
  return make({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      nodeSelector: { "kubernetes.io/hostname": `$run-${node}` },
      terminationGracePeriodSeconds: 0,
      containers: [{ name: "app", image: "none.invalid/none" }],
      volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
    },
  });
}

/** A volume that an administrator wrote down, for a claim that names it. */
export function staticVolume(wish: {
  readonly claim: string;
  readonly annotations?: Readonly<Record<string, string>>;
}): Step {
  return make({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "$case-static", ...defined({ annotations: wish.annotations }) },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "16Mi" },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "$case",
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "$case", name: wish.claim },
      csi: { driver: "$driver", volumeHandle: "$case-handle" },
    },
  });
}

/** What the attacher would write for a pod that uses the volume. */
export function attachment(volumeName: string): Step {
  return make({
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttachment",
    metadata: { name: "$case" },
    spec: { attacher: "$driver", nodeName: "$run-east-1", source: { persistentVolumeName: volumeName } },
  });
}

export function make(object: Template & Readonly<Record<string, unknown>>): Make {
  return { do: "make", object };
}

export const bound = (claim: string): Step => ({ do: "bound", claim });
export const bystander: Step = { do: "bystander" };
export const look = (says: string): Step => ({ do: "look", says });

export const told = (reason: string, claim: string, about: "claim" | "volume" = "claim"): Step => {
  return { do: "told", reason, claim, about };
};

export const refused = (claim: string): Step => told("ProvisioningFailed", claim);

export const deleted = (kind: string, name: string): Step => ({ do: "delete", kind, name });

/** The claim goes, and its volume with it. */
export const destroyed = (claim: string): readonly Step[] => [
  deleted("PersistentVolumeClaim", claim),
  { do: "claim-gone", claim },
  { do: "volume-gone", claim },
];

/** A claim that was never served goes, and nothing is left. */
export const withdrawn = (claim: string): readonly Step[] => [
  deleted("PersistentVolumeClaim", claim),
  { do: "claim-gone", claim },
];

export const fromSnapshot = (name: string) => ({ apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name });
export const fromClaim = (name: string) => ({ kind: "PersistentVolumeClaim", name });
