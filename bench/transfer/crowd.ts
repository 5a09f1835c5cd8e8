import { setTimeout as sleep } from "node:timers/promises";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { type Journal, journalText } from "../../src/api/transfer/journal.ts";
import { journalAnnotation } from "../../src/api/transfer/names.ts";
import type { Client } from "../../src/kube/client.ts";
import { fillWorld } from "../world.ts";
import { eachOf } from "./disks.ts";
import { startMover } from "./mover.ts";

export interface Crowded {
  readonly megabytes: number;
  /** From the start of the process until every journaled volume has been looked at. */
  readonly restartSeconds: number;
}

const inFlight = 32;
const settleMilliseconds = 5000;

/** How the process does among many claims, and how soon it knows what it had begun when it comes back. */
export async function crowd(
  client: Client,
  kubeconfig: string,
  { claims, journals }: { readonly claims: number; readonly journals: number },
  onProgress: (what: string) => void,
): Promise<Crowded> {
  await fillWorld(client, claims, (made) => onProgress(`${made} of ${claims} claims`));
  const megabytes = await memoryAtRest(kubeconfig);
  onProgress(`${journals} transfers are begun`);
  await begin(client, journals);
  await using controller = await startMover(kubeconfig);
  await controller.until('controller_runtime_reconcile_total{controller="transfer"', journals);
  return { megabytes, restartSeconds: controller.secondsSinceStart() };
}

async function memoryAtRest(kubeconfig: string): Promise<number> {
  await using controller = await startMover(kubeconfig);
  await controller.until("leader_election_master_status", 1);
  await sleep(settleMilliseconds);
  return await controller.megabytes();
}

/** Given up by their source, which something still holds: as many as a crash could ever leave half-way. */
async function begin(client: Client, count: number): Promise<void> {
  const found = [];
  for await (const { items } of client.pages(persistentVolumeClaims)) {
    found.push(...items.filter(({ spec }) => spec?.volumeName !== undefined));
    if (found.length >= count) break;
  }
  await eachOf(found.slice(0, count), inFlight, async ({ metadata, spec }) => {
    const { namespace = "", name, uid } = metadata;
    const volume = await client.get(persistentVolumes, { name: spec?.volumeName ?? "" });
    const journal: Journal = {
      v: 1,
      id: uid,
      volumeUID: volume.metadata.uid,
      source: { namespace, namespaceUID: "unknown", name, uid },
      target: { namespace: "elsewhere", namespaceUID: "unknown", name },
      request: { name: "request", uid: "unknown" },
      approval: { name: "approval", uid: "unknown" },
      policy: "Delete",
      boundByController: false,
      claim: { accessModes: ["ReadWriteOnce"], storage: "1Gi", storageClassName: "bench" },
      startedAt: new Date().toISOString(),
    };
    await client.merge(persistentVolumes, volume.metadata, {
      metadata: { annotations: { [journalAnnotation]: journalText(journal) } },
      spec: { persistentVolumeReclaimPolicy: "Retain", claimRef: { uid } },
    });
    await client.delete(persistentVolumeClaims, { namespace, name, uid });
  });
}
