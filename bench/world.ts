import {
  namespaces,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../src/api/gen/core.ts";
import type { Client } from "../src/kube/client.ts";

/** They would look at every claim and volume, again and again, while we measure. */
export const idleControllers = [
  "persistentvolume-binder-controller",
  "persistentvolume-expander-controller",
  "persistentvolume-attach-detach-controller",
  "persistentvolumeclaim-protection-controller",
  "persistentvolume-protection-controller",
];

const inFlight = 32;
const objectsPerNamespace = 500;
/** Nobody serves this class and this driver. */
const storageClassName = "bench";
const driver = "bench.portway.dev";

/** So many claims and as many volumes, each about 1.5 kB with its managed fields; answers namespace/name of one claim. */
export async function fillWorld(client: Client, count: number, onProgress: (made: number) => void): Promise<string> {
  const spaces = Math.ceil(count / objectsPerNamespace);
  for (let i = 0; i < spaces; i++)
    await client.create(namespaces, { metadata: { name: namespaceOf(i * objectsPerNamespace) } });
  let next = 0;
  async function worker(): Promise<void> {
    for (let i = next++; i < count; i = next++) {
      await client.create(persistentVolumes, volume(i));
      await client.create(persistentVolumeClaims, claim(i));
      if (i % 100 === 0) onProgress(i);
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker));
  const { namespace, name } = keyOf(count >> 1);
  return `${namespace}/${name}`;
}

function keyOf(i: number): { readonly namespace: string; readonly name: string } {
  return { namespace: namespaceOf(i), name: `data-orders-database-${i}` };
}

function namespaceOf(i: number): string {
  return `team-${Math.floor(i / objectsPerNamespace)}`;
}

function volumeName(i: number): string {
  return `pvc-5f0c2a7e-8d41-4b6f-9c3e-${String(i).padStart(12, "0")}`;
}

function labels(i: number): Record<string, string> {
  return {
    "app.kubernetes.io/name": "orders-database",
    "app.kubernetes.io/instance": `orders-${i}`,
    "app.kubernetes.io/component": "storage",
    "app.kubernetes.io/managed-by": "Helm",
    "topology.kubernetes.io/zone": `zone-${i % 3}`,
  };
}

function claim(i: number): PersistentVolumeClaim {
  return {
    metadata: {
      ...keyOf(i),
      labels: labels(i),
      annotations: {
        "pv.kubernetes.io/bind-completed": "yes",
        "pv.kubernetes.io/bound-by-controller": "yes",
        "volume.kubernetes.io/storage-provisioner": driver,
        "volume.kubernetes.io/selected-node": `node-${i % 50}`,
      },
    },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: `${1 + (i % 100)}Gi` } },
      storageClassName,
      volumeMode: "Filesystem",
      volumeName: volumeName(i),
    },
  };
}

function volume(i: number): PersistentVolume {
  return {
    metadata: {
      name: volumeName(i),
      labels: labels(i),
      annotations: { "pv.kubernetes.io/provisioned-by": driver },
    },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: `${1 + (i % 100)}Gi` },
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", ...keyOf(i) },
      csi: {
        driver,
        fsType: "ext4",
        volumeHandle: `vol-${String(i).padStart(17, "0")}`,
        volumeAttributes: {
          "storage.kubernetes.io/csiProvisionerIdentity": `1763300000000-8081-${driver}`,
          tier: "fast",
        },
      },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: [`zone-${i % 3}`] }] },
          ],
        },
      },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName,
      volumeMode: "Filesystem",
    },
  };
}
