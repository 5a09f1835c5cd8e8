import { namespaces, type PersistentVolumeClaim, persistentVolumeClaims } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import { seedClaimStatus } from "../../src/api/transfer/names.ts";
import type { Client } from "../../src/kube/client.ts";
import { bindDisks, claimAt, type Disk, eachOf } from "./disks.ts";
import { writesIn } from "./measure.ts";
import { portwayMover } from "./movers.ts";
import type { Sight } from "./sight.ts";

export interface GivesMeasured {
  /** For each give, without events and leases. */
  readonly writes: number;
  /** From the moment all of them are accepted, their sources being gone. */
  readonly perSecond: number;
  /** Another tenant's single transfers, in milliseconds: alone, and while all those gives are handed over. */
  readonly alone: readonly number[];
  readonly meanwhile: readonly number[];
}

interface Track {
  readonly client: Client;
  readonly sight: Sight;
  /** Where the audit log is. */
  readonly directory: string;
  readonly gives: number;
  readonly idle: number;
  readonly say: (what: string) => void;
}

const width = 32;
const crowded = ["crowd-a", "crowd-b"] as const;
const quiet = ["quiet-a", "quiet-b"] as const;

/** One after another for the writes; then all of them at once, beside one tenant who has a single claim to move. */
export async function measureGives({ client, sight, directory, gives, idle, say }: Track): Promise<GivesMeasured> {
  for (const name of [...crowded, ...quiet]) await client.create(namespaces, { metadata: { name } });
  const one = { volume: "quiet", here: place(quiet[0], "quiet"), there: place(quiet[1], "quiet") };
  const disks = Array.from({ length: gives }, (_, i) => diskOf(i));
  say(`binding ${gives} volumes`);
  await bindDisks(client, sight, [one, ...disks]);

  say("gives, one after another");
  const before = await writesIn(directory, "portway-transfer");
  for (const disk of disks.slice(0, idle)) await handOver(client, sight, disk);
  const after = await writesIn(directory, "portway-transfer");

  say(`${gives - idle} gives at once`);
  const rest = disks.slice(idle);
  await eachOf(rest, width, (disk) => giveAndDelete(client, sight, disk));
  const single = shuttle(client, sight, one);
  const alone: number[] = [];
  for (let i = 0; i < 10; i++) alone.push(await single());
  const start = performance.now();
  const over = new AbortController();
  const meanwhile: number[] = [];
  const tenant = (async () => {
    while (!over.signal.aborted) meanwhile.push(await single());
  })();
  await eachOf(rest, width, (disk) => accept(client, disk));
  await Promise.all(rest.map((disk) => arrived(sight, disk)));
  const seconds = (performance.now() - start) / 1000;
  over.abort();
  await tenant;
  return { writes: (after.all - before.all) / idle, perSecond: rest.length / seconds, alone, meanwhile };
}

function place(namespace: string, name: string) {
  return { namespace, name };
}

function diskOf(i: number): Disk {
  const volume = `given-${i}`;
  return { volume, here: place(crowded[0], volume), there: place(crowded[1], volume) };
}

/** There and back, as often as it is asked for. */
function shuttle(client: Client, sight: Sight, disk: Disk): () => Promise<number> {
  const move = portwayMover(client, sight);
  let now = disk;
  return async () => {
    const milliseconds = await move(now);
    now = { ...now, here: now.there, there: now.here };
    return milliseconds;
  };
}

/** Accepted before the source goes, as the seed tells it. */
async function handOver(client: Client, sight: Sight, disk: Disk): Promise<void> {
  await give(client, disk);
  await accept(client, disk);
  await sight.claim(disk.there, (seen) => markOn(seen) === "pending");
  await letGo(client, disk);
  await arrived(sight, disk);
}

/** The volume waits for whoever accepts it. */
async function giveAndDelete(client: Client, sight: Sight, disk: Disk): Promise<void> {
  await give(client, disk);
  await letGo(client, disk);
  await sight.claim(disk.here, (seen) => seen === undefined);
}

async function give(client: Client, { here, there }: Disk): Promise<void> {
  const annotations = { transferRequest: `${there.namespace}/${there.name}` };
  await client.merge(persistentVolumeClaims, here, { metadata: { annotations } });
}

async function accept(client: Client, { here, there }: Disk): Promise<void> {
  const { metadata, spec } = claimAt(there, "");
  const { volumeName: _, ...wanted } = spec;
  const annotations = { transferAccept: `${here.namespace}/${here.name}` };
  await client.create(persistentVolumeClaims, { metadata: { ...metadata, annotations }, spec: wanted });
}

async function letGo(client: Client, { here }: Disk): Promise<void> {
  const { uid } = (await client.get(persistentVolumeClaims, here)).metadata;
  await client.delete(persistentVolumeClaims, { ...here, uid });
}

async function arrived(sight: Sight, { there }: Disk): Promise<void> {
  await sight.claim(there, (seen) => markOn(seen) === "complete");
}

function markOn(claim: Stored<PersistentVolumeClaim> | undefined): string | undefined {
  return claim?.metadata.annotations?.[seedClaimStatus];
}
