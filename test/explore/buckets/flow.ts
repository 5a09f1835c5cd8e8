import { contentName } from "../../../src/api/buckets/names.ts";
import { requiredKeys } from "../../../src/api/buckets/secret-keys.ts";
import { secrets } from "../../../src/api/gen/core.ts";
import { bucketClasses, bucketContents, buckets, cosiRegistrations } from "../../../src/api/gen/cosi.ts";
import type { KubeObject, ObjectKey, Resource } from "../../../src/api/object.ts";
import type { Client } from "../../../src/kube/client.ts";
import { ableDriver, aRegistration, classFields } from "../../fixture/bucket-seen.ts";
import { type Act, people, processes, residents } from "../actors.ts";
import { type Controllers, startOf } from "../controllers.ts";
import type { Invariant } from "../explore.ts";
import { worldWith } from "../model/client.ts";
import { coreKinds, customKind } from "../model/kinds.ts";
import { deletedIn } from "../model/residents.ts";
import { allOf, emptyServer, type Saved, type Server } from "../model/server.ts";
import type { Transition } from "../model/transition.ts";
import { delivered, pendingIn, type View } from "../views.ts";
import type { Actor, World } from "../world.ts";
import { invariants } from "./invariants.ts";
import { storeBuckets, storeKinds } from "./store.ts";
import { home, type Planted, wiring } from "./wiring.ts";

export const team = "team";
export const bucketKey = { namespace: team, name: "photos" };
export const secretKey = { namespace: team, name: "photos-keys" };
export const className = "gold";
/** A bucket that was there before, for those classes that name one. */
export const oldBucket = "films";

const kinds = [
  ...coreKinds,
  { resource: secrets, hasStatus: false },
  ...[buckets, bucketContents, bucketClasses, cosiRegistrations].map(customKind),
  ...storeKinds,
];

/** As an administrator writes them, and as one who has forgotten something. */
const adminKeys = Object.fromEntries(requiredKeys.map((key) => [key, Buffer.from(key).toString("base64")]));

const { accessSecretKey: _, ...halfTheKeys } = adminKeys;

async function away<T extends KubeObject>(client: Client, resource: Resource<T>, key: ObjectKey): Promise<unknown> {
  const { uid } = (await client.get(resource, key)).metadata;
  return await client.delete(resource, { ...key, uid });
}

const newBucket = (client: Client) =>
  client.create(buckets, {
    metadata: bucketKey,
    spec: { bucketClassName: className, secretName: secretKey.name },
  });

async function contentNow(client: Client): Promise<ObjectKey> {
  const { uid } = (await client.get(buckets, bucketKey)).metadata;
  return { name: contentName(className, uid) };
}

async function useBucket(client: Client): Promise<unknown> {
  // With the keys of the Secret, so only when it is there.
  await client.get(secrets, secretKey);
  const { spec } = await client.get(bucketContents, await contentNow(client));
  return await client.merge(storeBuckets, { name: spec.bucketIdentifier ?? "" }, { isUsed: true });
}

/** What people may do to a Bucket, and to everything that belongs to it. */
export const acts = {
  deleteBucket: { says: "deletes the Bucket", act: (client) => away(client, buckets, bucketKey) },
  newBucket: { says: "makes the Bucket again", act: newBucket, after: ["deletes the Bucket"] },
  tearBucket: {
    says: "tears the Bucket away",
    async act(client) {
      await client.merge(buckets, bucketKey, { metadata: { finalizers: null } });
    },
    after: ["deletes the Bucket"],
  },
  deleteContent: {
    says: "deletes the content",
    act: async (client) => await away(client, bucketContents, await contentNow(client)),
  },
  tearContent: {
    says: "tears the content away",
    act: async (client) =>
      await client.merge(bucketContents, await contentNow(client), { metadata: { finalizers: null } }),
    after: ["deletes the content"],
  },
  keepBucket: {
    says: "has the bucket kept",
    act: async (client) =>
      await client.merge(bucketContents, await contentNow(client), { spec: { releasePolicy: "Retain" } }),
  },
  plantSecret: {
    says: "takes the Secret's name",
    act: (client) => client.create(secrets, { metadata: secretKey, data: { mine: "bWluZQ==" } }),
  },
  completeSecret: {
    says: "completes the administrator's Secret",
    act: (client) => client.merge(secrets, classFields.Static.secretRef, { data: adminKeys }),
  },
  deleteClass: { says: "deletes the class", act: (client) => away(client, bucketClasses, { name: className }) },
  otherClass: {
    says: "makes another class of its name",
    act: (client) =>
      client.create(bucketClasses, {
        metadata: { name: className },
        provisioner: ableDriver.name,
        releasePolicy: "Delete",
      }),
    after: ["deletes the class"],
  },
  useBucket: { says: "puts something into the bucket", act: useBucket },
} as const satisfies Readonly<Record<string, Act>>;

export type ActName = keyof typeof acts;

export interface FlowOptions extends Partial<Planted> {
  readonly mode?: keyof typeof classFields;
  readonly acts: readonly ActName[];
  /** How many events each watch may be behind. */
  readonly lateness?: number;
}

export interface Flow {
  readonly start: World;
  readonly actors: readonly Actor[];
  readonly controllers: Controllers;
  readonly invariants: readonly Invariant[];
  readonly tidied: (world: World) => World;
}

const controller = "controller";
const sidecar = "sidecar";
/** Of the watches in the order of the wiring: the last one is the sidecar's. */
const mine: Readonly<Record<string, (index: number) => boolean>> = {
  [controller]: (index) => index < 4,
  [sidecar]: (index) => index === 4,
};

/** One Bucket of one class, its controller and its sidecar, and a store. */
export async function flowOf({
  mode = "Greenfield",
  acts: names,
  lateness = 0,
  ...planted
}: FlowOptions): Promise<Flow> {
  const { client, server } = await worldWith(emptyServer(kinds), team, home, "vault");
  await client.create(bucketClasses, { metadata: { name: className }, ...classFields[mode] });
  const { metadata, spec } = aRegistration();
  await client.create(cosiRegistrations, { metadata: { name: metadata.name }, spec });
  await client.create(storeBuckets, { metadata: { name: oldBucket } });
  const data = names.includes("completeSecret") ? halfTheKeys : adminKeys;
  await client.create(secrets, { metadata: classFields.Static.secretRef, data });
  await newBucket(client);
  const wire = wiring({ driver: ableDriver, ...planted });
  const ours = processes({
    wire,
    looksAtReplies: true,
    runs: (process, name) => (process === controller) === (name === "buckets"),
  });
  const start = startOf(wire, server(), [controller, sidecar]);
  const others = [residents("garbage collector", [collector]), people(names.map((name) => acts[name]))];
  return {
    start: { ...start, processes: start.processes.map((process) => ({ ...process, leads: true })) },
    actors: [...ours.actors, ...others],
    controllers: ours.controllers,
    invariants,
    tidied: hearing(lateness),
  };
}

/** What its owner's end leaves behind is taken away. */
const collector: Transition = {
  says: "what nobody owns any more is gone",
  from(server) {
    const alive = new Set([...server.objects.values()].map(({ metadata }) => metadata.uid));
    const isLost = ({ metadata: { ownerReferences = [] } }: Saved | { readonly metadata: Saved["metadata"] }) =>
      ownerReferences.length > 0 && ownerReferences.every(({ uid }) => !alive.has(uid));
    return allOf(server, secrets)
      .filter(isLost)
      .map((secret): Server => deletedIn(server, secrets, secret));
  },
};

/** What a process watches it hears in time, and of the watches of the other one it hears nothing new. */
function hearing(lateness: number): (world: World) => World {
  return (world) => {
    const { server } = world;
    const heard = (view: View, most: number) => {
      const events = pendingIn(server, view);
      return events.length <= most ? view : events.slice(0, events.length - most).reduce(delivered, view);
    };
    const processes = world.processes.map((process) => ({
      ...process,
      views: process.views.map((view, index) => heard(view, mine[process.name]?.(index) === true ? lateness : 0)),
    }));
    return { ...world, processes };
  };
}
