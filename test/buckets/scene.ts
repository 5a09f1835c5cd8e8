import { randomBytes } from "node:crypto";
import { after, type TestContext } from "node:test";
import type { S3Client } from "@aws-sdk/client-s3";
import { type Event, events } from "../../src/api/gen/core.ts";
import {
  type Bucket,
  type BucketClass,
  type BucketContent,
  type BucketSpec,
  bucketContents,
  buckets,
} from "../../src/api/gen/cosi.ts";
import type { Condition } from "../../src/api/gen/meta.ts";
import type { KubeObject, Stored } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import { adminClient, keyOf, newNamespace, randomWord } from "../fixture/client.ts";
import { installPortway } from "../fixture/install.ts";
import { type LaneCluster, laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { type Keys, keysOf, s3With } from "./keys.ts";
import { startStore, type TestStore } from "./store.ts";
import { bucketController, type Installed, installDriver, type Measured, newClass, untilRegistered } from "./world.ts";

/** A cluster with Portway in it, and its admin; for all tests of a file. */
export interface Ground {
  readonly cluster: LaneCluster;
  readonly admin: Client;
}

export async function bucketGround(): Promise<Ground> {
  const cluster = await laneCluster();
  await installPortway(cluster);
  const admin = await adminClient(cluster);
  after(() => admin.close());
  return { cluster, admin };
}

/** Where a story plays: a store, a driver for it, the controller, and the namespace of a team. */
export interface Scene extends Ground {
  readonly store: TestStore;
  readonly driver: Installed;
  readonly controller: Measured;
  readonly namespace: string;
  /** The store's administrator. */
  readonly root: S3Client;
}

export interface SceneFlags {
  readonly controller?: readonly string[];
  readonly sidecar?: readonly string[];
}

export async function sceneOn(t: TestContext, ground: Ground, flags: SceneFlags = {}): Promise<Scene> {
  const { cluster, admin } = ground;
  const store = await startStore(t);
  const driver = await installDriver(t, cluster, store, flags.sidecar);
  const controller = await bucketController(t, cluster, flags.controller);
  await controller.start();
  await untilRegistered(admin, driver);
  const namespace = await newNamespace(t, admin);
  return { ...ground, store, driver, controller, namespace, root: rootOf(t, store) };
}

export function rootOf(t: TestContext, { url, region, root }: TestStore): S3Client {
  const keys = { endpoint: url, region, bucketName: "", accessKeyID: root.access, accessSecretKey: root.secret };
  return s3With(t, keys);
}

/** A class of the scene's driver. */
export async function classOf(
  t: TestContext,
  { admin, driver }: Pick<Scene, "admin"> & { readonly driver: Pick<Installed, "name"> },
  fields: Omit<BucketClass, "metadata" | "provisioner"> = {},
): Promise<string> {
  return (await newClass(t, admin, { provisioner: driver.name, ...fields })).metadata.name;
}

type Place = Pick<Scene, "admin" | "namespace">;

/** A Bucket of a name of its own, with its Secret under the same one. */
export async function newBucket(
  { admin, namespace }: Place,
  bucketClassName: string,
  spec: Partial<BucketSpec> = {},
): Promise<Stored<Bucket>> {
  const name = `b-${randomBytes(4).toString("hex")}`;
  return await admin.create(buckets, {
    metadata: { namespace, name },
    spec: { bucketClassName, secretName: name, ...spec },
  });
}

/** Waits for this of the Bucket, and tells what it was instead when it never comes. */
export async function untilBucket(
  { admin }: Pick<Place, "admin">,
  bucket: Stored<Bucket>,
  what: string,
  holds: (bucket: Stored<Bucket>) => boolean,
): Promise<Stored<Bucket>> {
  return await untilObject(what, () => admin.get(buckets, keyOf(bucket)), holds);
}

export async function untilContent(
  { admin }: Pick<Place, "admin">,
  bucket: Stored<Bucket>,
  what: string,
  holds: (content: Stored<BucketContent>) => boolean,
): Promise<Stored<BucketContent>> {
  return await untilObject(
    what,
    async () => await contentOf({ admin }, bucket),
    (content) => content !== undefined && holds(content),
  ).then((content) => content as Stored<BucketContent>);
}

async function untilObject<T extends KubeObject | undefined>(
  what: string,
  look: () => Promise<T>,
  holds: (object: T) => boolean,
): Promise<T> {
  let last: T | undefined;
  try {
    await until(what, async () => holds((last = await look())));
  } catch (problem) {
    throw new Error(`${what} never came true; it was ${inWords(last)}`, { cause: problem });
  }
  return last as T;
}

function inWords(object: unknown): string {
  return JSON.stringify(object, (key, value: unknown) => (key === "managedFields" ? undefined : value), 1);
}

export async function contentOf(
  { admin }: Pick<Place, "admin">,
  { metadata: { uid }, spec }: Stored<Bucket>,
): Promise<Stored<BucketContent> | undefined> {
  return await admin.find(bucketContents, { name: `${spec.bucketClassName}-${uid}` });
}

export async function bound(place: Place, bucket: Stored<Bucket>): Promise<Keys> {
  await untilBucket(place, bucket, "the Bucket is bound", ({ status }) => status?.phase === "Bound");
  return await keysOf(place.admin, { namespace: place.namespace, name: bucket.spec.secretName });
}

/** Deletes it, and answers when nothing is left of it in the cluster. */
export async function released({ admin }: Place, bucket: Stored<Bucket>): Promise<void> {
  await admin.delete(buckets, keyOf(bucket));
  let last: unknown;
  await until("the Bucket is gone", async () => (last = await admin.find(buckets, keyOf(bucket))) === undefined).catch(
    (problem: unknown) => {
      throw new Error(`the Bucket is still there: ${inWords(last)}`, { cause: problem });
    },
  );
}

export function condition(object: { readonly status?: { readonly conditions?: readonly Condition[] } }, type: string) {
  return object.status?.conditions?.find((one) => one.type === type);
}

/** Waits until this was told of the object. Events about what has no namespace are in `default`. */
export async function untilTold(
  { admin }: Pick<Place, "admin">,
  { metadata: { uid, namespace = "default" } }: Stored<KubeObject>,
  reason: string,
): Promise<Stored<Event>> {
  let found: Stored<Event> | undefined;
  await until(`${reason} is told`, async () => {
    const fieldSelector = `involvedObject.uid=${uid},reason=${reason}`;
    for await (const { items } of admin.pages(events, { namespace, fieldSelector })) found ??= items[0];
    return found !== undefined;
  });
  return found as Stored<Event>;
}

export function aName(): string {
  return `t-${randomWord()}`;
}
