import { namespaces, persistentVolumeClaims } from "../../src/api/gen/core.ts";
import type { Client } from "../../src/kube/client.ts";
import { eachOf } from "../transfer/disks.ts";

export interface ClaimPlace {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const teams = Array.from({ length: 10 }, (_, i) => `bench-team-${i}`);
const inFlight = 20;
let serial = 0;

export async function createTeams(client: Client): Promise<void> {
  for (const name of teams) await client.create(namespaces, { metadata: { name } });
}

/** As fast as the server takes them, in ten namespaces. */
export async function createClaims(
  client: Client,
  storageClassName: string,
  count: number,
): Promise<readonly ClaimPlace[]> {
  const made: ClaimPlace[] = [];
  await eachOf([...Array(count).keys()], inFlight, async (i) => {
    const namespace = teams[i % teams.length] ?? "";
    const { metadata } = await client.create(persistentVolumeClaims, {
      metadata: { namespace, name: `data-${serial++}` },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName },
    });
    made.push({ namespace, name: metadata.name, uid: metadata.uid });
  });
  return made;
}

export async function deleteClaims(client: Client, claims: readonly ClaimPlace[]): Promise<void> {
  await eachOf(claims, inFlight, async (claim) => void (await client.delete(persistentVolumeClaims, claim)));
}
