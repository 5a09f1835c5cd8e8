import { contentName, storeBucketName } from "../../../src/api/buckets/names.ts";
import { namespaces, type Secret, secrets } from "../../../src/api/gen/core.ts";
import {
  type Bucket,
  type BucketClass,
  type BucketContent,
  bucketClasses,
  bucketContents,
  buckets,
} from "../../../src/api/gen/cosi.ts";
import type { Stored } from "../../../src/api/object.ts";
import { bucketInventory } from "../../driver/bucket-inventory.ts";
import type { Misuse } from "../../driver/inventory.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { randomWord } from "../../fixture/client.ts";
import { until } from "../../fixture/portway.ts";
import { type Keys, keysIn } from "../keys.ts";
import { drop } from "./drop.ts";
import type { Keeper } from "./keeper.ts";
import { sceneOn } from "./scene.ts";

/** A Bucket that somebody asks for, and what is known beforehand of all that comes of it. */
export interface World {
  readonly namespace: string;
  readonly className: string;
  readonly content: string;
  /** What the store calls its bucket. */
  readonly storeName: string;
  readonly uid: string;
  /** Where an administrator's Secret is, if the class names one; its version then. */
  readonly admins?: { readonly namespace: string; readonly version: string };
  /** Somebody else's Secret under the name that the Bucket wants, as it was made. */
  readonly foreign?: { readonly uid: string; readonly version: string };
  /** What people do meanwhile. */
  readonly deeds: Promise<void>[];
  /** How many calls the driver had had before, and how many of them were mistakes. */
  readonly before: { readonly calls: number; readonly misuse: number };
  /** Keys that still opened something after their content was released. */
  readonly opened: string[];
}

export const bucketName = "photos";
export const secretName = "keys";

type Class = Pick<BucketClass, "provisioner" | "releasePolicy" | "bucketIdentifier" | "secretRef">;

export async function newNamespace({ admin }: Pick<Stage, "admin">): Promise<string> {
  return (await admin.create(namespaces, { metadata: { name: `buckets-${randomWord()}` } })).metadata.name;
}

/** A class of the run's own, called like its namespace. */
export async function newClass(name: string, fields: Class, stage: Stage): Promise<void> {
  const { keeper } = sceneOn(stage);
  // What makes the process ready for this run is no part of it.
  stage.past.add(keeper.name);
  const provisioner = fields.secretRef === undefined ? { provisioner: keeper.name } : {};
  await stage.admin.create(bucketClasses, { metadata: { name }, ...provisioner, ...fields });
}

export async function newBucket(namespace: string, stage: Stage): Promise<World> {
  const { keeper } = sceneOn(stage);
  const before = { calls: keeper.scripted?.calls().length ?? 0, misuse: misuseOf(keeper).length };
  const className = namespace;
  const { metadata } = await stage.admin.create(buckets, {
    metadata: { namespace, name: bucketName },
    spec: { bucketClassName: className, secretName },
  });
  const { uid } = metadata;
  const content = contentName(className, uid);
  const storeName = storeBucketName(undefined, uid);
  const world: World = { namespace, className, content, storeName, uid, deeds: [], before, opened: [] };
  askWhenReleased(world, stage);
  return world;
}

/** What a driver holds against its callers. */
export function misuseOf({ scripted }: Keeper): readonly Misuse[] {
  return scripted === undefined ? [] : bucketInventory(scripted.state).read().misuse;
}

export async function bucketOf({ namespace }: World, { admin }: Stage): Promise<Stored<Bucket> | undefined> {
  return await admin.find(buckets, { namespace, name: bucketName });
}

export async function contentOf(
  { content: name }: World,
  { admin }: Stage,
): Promise<Stored<BucketContent> | undefined> {
  return await admin.find(bucketContents, { name });
}

export async function secretOf({ namespace }: World, { admin }: Stage): Promise<Stored<Secret> | undefined> {
  return await admin.find(secrets, { namespace, name: secretName });
}

type Conditions = Pick<NonNullable<BucketContent["status"]>, "conditions">;

export function hasCondition(
  object: { readonly status?: Conditions } | undefined,
  type: string,
  status = "True",
): boolean {
  return object?.status?.conditions?.some((one) => one.type === type && one.status === status) === true;
}

/** Both sides say so. */
export async function isBound(world: World, stage: Stage): Promise<boolean> {
  const [bucket, content] = [await bucketOf(world, stage), await contentOf(world, stage)];
  return bucket?.status?.phase === "Bound" && content?.status?.phase === "Bound";
}

/** Neither the Bucket nor anything that was made for it in the cluster. */
export async function isGone(world: World, stage: Stage): Promise<boolean> {
  return (await bucketOf(world, stage)) === undefined && (await contentOf(world, stage)) === undefined;
}

/** Somebody does something as soon as it can be done. */
export function deed(world: World, what: string, when: () => boolean | Promise<boolean>, act: () => Promise<unknown>) {
  const done = until(what, when).then(async () => void (await act()));
  done.catch(() => undefined);
  world.deeds.push(done);
}

export async function usedByItsOwner(world: World, stage: Stage): Promise<void> {
  const secret = await secretOf(world, stage);
  if (secret !== undefined) await sceneOn(stage).keeper.put(keysIn(secret));
}

/** First its class: what was captured of it must be enough. */
export async function bucketDeleted({ namespace, className, uid }: World, { admin }: Stage): Promise<void> {
  await drop(admin, bucketClasses, { name: className });
  await drop(admin, buckets, { namespace, name: bucketName }, uid);
}

/** All keys of this run that a driver has granted and that were ever stored. */
export function keysGiven({ monitor }: Pick<Stage, "monitor">): readonly Keys[] {
  const granted = monitor
    .history("secrets")
    .filter(({ object }) => object.metadata.ownerReferences?.some(({ kind }) => kind === bucketContents.kind));
  const keys = granted.map(({ object }) => keysIn(object as Secret));
  return [...new Map(keys.map((one) => [one.accessKeyID, one])).values()];
}

/** B3: whoever has the keys asks the store itself, at once. */
function askWhenReleased(world: World, stage: Stage): void {
  const { keeper } = sceneOn(stage);
  const { monitor } = stage;
  const isReleased = () =>
    monitor
      .history("bucketcontents")
      .some(({ key, object }) => key === world.content && hasCondition(object as BucketContent, "Released"));
  // A content that was never made is never released.
  const isOver = () => monitor.history("buckets").some(({ uid, type }) => uid === world.uid && type === "DELETED");
  const isEnded = () => isReleased() || isOver();
  deed(world, "its content is released", isEnded, async () => {
    for (const keys of isReleased() ? keysGiven(stage) : [])
      if (await keeper.opens(keys)) world.opened.push(keys.accessKeyID);
  });
}

/** Whatever came of it, the next run must not meet it. */
export async function clear(world: World, stage: Stage): Promise<void> {
  const { admin } = stage;
  const { keeper, home } = sceneOn(stage);
  const { namespace, admins } = world;
  await bucketDeleted(world, stage);
  const results = await Promise.allSettled([
    until(`${namespace} is empty`, () => isGone(world, stage)),
    ...world.deeds,
  ]);
  await freed(world, stage);
  for (const name of [namespace, ...(admins === undefined ? [] : [admins.namespace])])
    await drop(admin, namespaces, { name });
  for await (const { items } of admin.pages(secrets, { namespace: home }))
    for (const { metadata } of items) await drop(admin, secrets, { namespace: home, name: metadata.name });
  for (const { name } of (await keeper.held()).buckets) await keeper.removeBucket(name);
  for (const result of results) if (result.status === "rejected") throw result.reason as Error;
}

async function freed(world: World, stage: Stage): Promise<void> {
  const { admin } = stage;
  const free = { metadata: { finalizers: [] } };
  if ((await contentOf(world, stage)) !== undefined) await admin.merge(bucketContents, { name: world.content }, free);
  const key = { namespace: world.namespace, name: bucketName };
  if ((await bucketOf(world, stage)) !== undefined) await admin.merge(buckets, key, free);
}
