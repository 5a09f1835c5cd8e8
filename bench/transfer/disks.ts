import { namespaces, persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import type { Client } from "../../src/kube/client.ts";
import type { Sight } from "./sight.ts";

export interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** A volume with the policy Delete and no driver, bound to a claim here, that can be moved there. */
export interface Disk {
  readonly volume: string;
  readonly here: Place;
  readonly there: Place;
}

export const storageClassName = "bench-transfer";
const teams = ["team-a", "team-b"] as const;
const inFlight = 16;

export async function boundDisks(client: Client, sight: Sight, count: number): Promise<readonly Disk[]> {
  for (const name of teams) await client.create(namespaces, { metadata: { name } });
  const disks = Array.from({ length: count }, (_, i) => diskOf(i));
  await bindDisks(client, sight, disks);
  return disks;
}

/** At the binder's own pace, about ten a second. */
export async function bindDisks(client: Client, sight: Sight, disks: readonly Disk[]): Promise<void> {
  await eachOf(disks, inFlight, async ({ volume, here }) => {
    await client.create(persistentVolumes, {
      metadata: { name: volume },
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        csi: { driver: "bench.portway.dev", volumeHandle: volume },
        persistentVolumeReclaimPolicy: "Delete",
        storageClassName,
        claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", ...here },
      },
    });
    await client.create(persistentVolumeClaims, claimAt(here, volume));
    await sight.claim(here, (claim) => claim?.status?.phase === "Bound");
  });
}

export function claimAt(place: Place, volumeName: string) {
  return {
    metadata: { ...place },
    spec: {
      accessModes: ["ReadWriteOnce" as const],
      resources: { requests: { storage: "1Gi" } },
      storageClassName,
      volumeName,
    },
  };
}

function diskOf(i: number): Disk {
  const volume = `disk-${i}`;
  return { volume, here: { namespace: teams[0], name: volume }, there: { namespace: teams[1], name: volume } };
}

export function moved({ volume, here, there }: Disk): Disk {
  return { volume, here: there, there: here };
}

/** So many at a time, and the next as soon as one is done. */
export async function eachOf<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  async function worker(): Promise<void> {
    for (const item of rest) await work(item);
  }
  await Promise.all(Array.from({ length: width }, worker));
}
