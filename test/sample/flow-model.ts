import { configMaps, persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import type { KubeObject, ObjectKey, Resource } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import type { Reconciler } from "../../src/runtime/reconciler.ts";
import type { Sources } from "../../src/runtime/sources.ts";
import { decide, type Table } from "../../src/runtime/table.ts";
import { type Act, leases, people, processes, residents } from "../explore/actors.ts";
import { type Controllers, startOf, type Wiring } from "../explore/controllers.ts";
import type { Invariant } from "../explore/explore.ts";
import { binder } from "../explore/model/binder.ts";
import { worldWith } from "../explore/model/client.ts";
import { coreKinds } from "../explore/model/kinds.ts";
import { protections } from "../explore/model/residents.ts";
import { allOf, emptyServer, objectOf } from "../explore/model/server.ts";
import { settled } from "../explore/settle.ts";
import { controlled } from "../explore/turns.ts";
import type { Actor, World } from "../explore/world.ts";
import { deedLabel, deedMark, holdFinalizer, journalIn } from "./journal.ts";
import { rules, type Step } from "./rules.ts";
import { deedWatches, observe, type Seen } from "./seen.ts";
import { report } from "./status.ts";
import { act } from "./steps.ts";

const namespace = "team";
const claimKey = { namespace, name: "claim" };
const deedKey = { namespace, name: "deed" };
const volumeName = "volume";

/** The domain as it ships, or with a bug planted in its table or its steps. */
export interface Planted {
  readonly table?: Table<Seen, Step>;
  readonly act?: Reconciler<Seen, Step>["act"];
}

export function wiring(planted: Planted = {}): Wiring {
  const table = planted.table ?? rules;
  return (sources: Sources) => {
    const watches = deedWatches(sources);
    const reconciler: Reconciler<Seen, Step> = {
      name: "deeds",
      observe: (key, look) => observe(watches, key, look),
      decide: (seen) => decide(table, seen),
      act: planted.act ?? act,
      report,
    };
    return [controlled(reconciler, { keys: [`${namespace}/claim`], tables: [table] })];
  };
}

function newClaim(client: Client): Promise<unknown> {
  return client.create(persistentVolumeClaims, {
    metadata: claimKey,
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "manual",
      volumeName,
    },
  });
}

function newVolume(client: Client): Promise<unknown> {
  return client.create(persistentVolumes, {
    metadata: { name: volumeName },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      storageClassName: "manual",
      csi: { driver: "sample.portway.dev", volumeHandle: "handle" },
    },
  });
}

function newDeed(client: Client, text: string): Promise<unknown> {
  const metadata = { ...deedKey, labels: { [deedLabel]: claimKey.name } };
  return client.create(configMaps, { metadata, data: { text } });
}

async function away<T extends KubeObject>(client: Client, resource: Resource<T>, key: ObjectKey): Promise<unknown> {
  const { uid } = (await client.get(resource, key)).metadata;
  return await client.delete(resource, { ...key, uid });
}

/** Everything that the owner of a claim may do to it and to its deed. */
export const acts = {
  deleteClaim: { says: "deletes the claim", act: (client) => away(client, persistentVolumeClaims, claimKey) },
  newClaim: { says: "makes the claim again", act: newClaim, after: ["deletes the claim"] },
  deleteDeed: { says: "deletes the deed", act: (client) => away(client, configMaps, deedKey) },
  newDeed: { says: "makes a deed", act: (client) => newDeed(client, "late") },
  editDeed: {
    says: "edits the deed",
    act: (client) => client.merge(configMaps, deedKey, { data: { text: "edited" } }),
  },
} as const satisfies Readonly<Record<string, Act>>;

export interface Flow {
  readonly start: World;
  readonly actors: readonly Actor[];
  readonly controllers: Controllers;
  readonly invariants: readonly Invariant[];
}

export interface FlowOptions extends Planted {
  readonly acts: readonly Act[];
  /** A deed is there from the beginning. */
  readonly deed?: boolean;
  readonly delays?: number;
  /** A second replica waits for the lease. */
  readonly replicas?: 1 | 2;
}

/** A claim bound to its volume, and what can happen to both. */
export async function flowOf({ acts, deed = true, delays = 0, replicas = 1, ...planted }: FlowOptions): Promise<Flow> {
  const holder = await worldWith(emptyServer(coreKinds), namespace);
  await newVolume(holder.client);
  await newClaim(holder.client);
  if (deed) await newDeed(holder.client, "mine");
  const server = settled(holder.server(), [...binder, ...protections]);
  const wire = wiring(planted);
  const names = ["portway", "replica"].slice(0, replicas);
  const ours = processes({ wire, delays });
  const others = [residents("kube-controller-manager", [...binder, ...protections]), people(acts)];
  const actors = [...ours.actors, ...others, ...(replicas === 2 ? [leases] : [])];
  return { start: startOf(wire, server, names), actors, controllers: ours.controllers, invariants };
}

function lookAt({ server }: World) {
  const volume = objectOf(server, persistentVolumes, volumeName);
  return {
    claim: objectOf(server, persistentVolumeClaims, `${namespace}/claim`),
    deed: objectOf(server, configMaps, `${namespace}/deed`),
    mark: volume?.metadata.annotations?.[deedMark],
    journal: journalIn(volume?.metadata.annotations),
  };
}

export const invariants: readonly Invariant[] = [
  {
    id: "S1",
    says: "nobody but its owner ends a deed whose text is not on the volume",
    holds(world, move) {
      if (move === undefined || move.says.startsWith("somebody")) return true;
      const { deed, mark } = lookAt(move.before);
      const isEnded = deed !== undefined && lookAt(world).deed?.metadata.uid !== deed.metadata.uid;
      return (
        !isEnded || mark === deed.data?.["text"] || `"${deed.data?.["text"] ?? ""}" is lost, "${mark ?? ""}" is kept`
      );
    },
  },
  {
    id: "S2",
    says: "an open journal has a claim that is held",
    holds(world) {
      const { claim, journal } = lookAt(world);
      if (journal === undefined || journal.done === true) return true;
      const isHeld = claim?.metadata.finalizers?.includes(holdFinalizer) === true;
      return (isHeld && claim.metadata.uid === journal.claimUid) || "the claim could go, or is gone";
    },
  },
  {
    id: "S3",
    says: "a journal is closed only when its deed is gone",
    holds(world) {
      const { deed, journal } = lookAt(world);
      return journal?.done !== true || deed?.metadata.uid !== journal.deedUid || "the deed is still there";
    },
  },
  {
    id: "S4",
    at: "rest",
    says: "no hold, no open journal and no claim on its way out is left",
    holds(world) {
      const { journal } = lookAt(world);
      const claims = allOf(world.server, persistentVolumeClaims);
      const held = claims.filter(({ metadata }) => metadata.finalizers?.includes(holdFinalizer) === true);
      const leaving = claims.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
      if (held.length + leaving.length > 0) return `${held.length} held, ${leaving.length} leaving`;
      return journal === undefined || journal.done === true || "the journal is open";
    },
  },
  {
    id: "S5",
    at: "rest",
    says: "a deed of a bound claim whose volume has none is handed over",
    holds(world) {
      const { claim, deed, journal } = lookAt(world);
      return claim?.status?.phase !== "Bound" || deed === undefined || journal !== undefined || "nobody took it";
    },
  },
];
