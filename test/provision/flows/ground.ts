import { join } from "node:path";
import { leases } from "../../../src/api/gen/coordination.ts";
import { namespaces, persistentVolumeClaims, persistentVolumes } from "../../../src/api/gen/core.ts";
import { storageClasses } from "../../../src/api/gen/storage.ts";
import { build } from "../../../src/dev/build/build.ts";
import { addonParts } from "../../../src/dev/build/parts.ts";
import { packageRoot, partsDirectory } from "../../../src/dev/paths.ts";
import type { Client } from "../../../src/kube/client.ts";
import { intentPrefix } from "../../../src/provision/intents/intent.ts";
import { leaseNameOf } from "../../../src/provision/names.ts";
import type { Flow, Ground, Stage } from "../../faults/sweep/flow.ts";
import { randomWord } from "../../fixture/client.ts";
import { until } from "../../fixture/portway.ts";
import { removeAccount, vendorAccount } from "../compare/account.ts";
import { type DriverBeside, startDriver } from "./driver-beside.ts";

/** What the runs of a flow on one cluster share. */
export interface Scene {
  readonly driver: DriverBeside;
  /** Where the account is at home, and the Leases. */
  readonly home: string;
  readonly className: string;
  /** A volume in the driver that clones and snapshots are made of, and a snapshot of it. */
  readonly sourceHandle: string;
  readonly snapshotHandle: string;
}

export interface World {
  readonly namespace: string;
  readonly claim: string;
  readonly uid: string;
  /** The name that the volume gets, or has. */
  readonly volume: string;
  /** What people do meanwhile. */
  readonly deeds: Promise<void>[];
  /** Objects without a namespace that are no volumes of ours. */
  readonly sourceVolume?: string;
}

const usualElection = ["--leader-election", "--leader-election-identity=provisioner-0"];
const scenes = new WeakMap<Ground, Scene>();
export const gibibyte = 1n << 30n;
/** An answer that never comes is not waited for any longer than this. */
export const callSeconds = 2;

export function sceneOn({ cluster }: Pick<Stage, "cluster">): Scene {
  const scene = scenes.get(cluster);
  if (scene === undefined) throw new Error("no flow of the provisioner has begun on this cluster");
  return scene;
}

/** A driver, and a class of it. */
export async function setScene(
  { cluster, admin }: Pick<Stage, "cluster" | "admin">,
  undo: AsyncDisposableStack,
  parametersFor: (home: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<readonly string[]> {
  const word = randomWord();
  const [home, className] = [`provision-${word}`, `provision-${word}`];
  const driver = await startDriver(`${word}.provision.portway.dev`, undo);
  const [provisioner, parameters] = [driver.name, parametersFor(home)];
  const made = { metadata: { name: className }, provisioner, parameters, reclaimPolicy: "Delete" as const };
  const { uid } = (await admin.create(storageClasses, made)).metadata;
  undo.defer(async () => void (await admin.delete(storageClasses, { name: className, uid })));
  undo.defer(() => removeAccount(cluster, home));
  scenes.set(cluster, { driver, home, className, ...(await sourcesIn(driver)) });
  return [`--csi-address=${driver.socket}`];
}

/** An account with exactly the rights of external-provisioner's rbac.yaml; to read Secrets stands in it as a comment. */
export async function vendorHome(
  { cluster, admin }: Pick<Stage, "cluster" | "admin">,
  readsSecrets = false,
): Promise<string> {
  const { driver, home: namespace } = sceneOn({ cluster });
  const kubeconfig = await vendorAccount(cluster, await rbacFile(), { namespace, readsSecrets });
  // It is there from the first claim on: otherwise the first run would be another one than all that follow.
  await admin.create(leases, { metadata: { namespace, name: pageOf(driver) }, spec: {} });
  return kubeconfig;
}

async function rbacFile(): Promise<string> {
  const silent = { result() {}, say() {}, progress() {} };
  const place = { directory: partsDirectory(process.env), terminal: silent, stop: new AbortController().signal };
  return (await build(addonParts.provisioner, place)).file("rbac.yaml");
}

async function sourcesIn({ controller }: DriverBeside) {
  const { volume } = await controller.createVolume({
    name: "source",
    capacityRange: { requiredBytes: gibibyte },
    volumeCapabilities: [{ accessMode: { mode: 1 }, accessType: { case: "mount", value: {} } }],
  });
  const sourceHandle = volume?.volumeId ?? "";
  const { snapshot } = await controller.createSnapshot({ name: "source", sourceVolumeId: sourceHandle });
  return { sourceHandle, snapshotHandle: snapshot?.snapshotId ?? "" };
}

export function pageOf({ name }: Pick<DriverBeside, "name">): string {
  return `${leaseNameOf(name)}-intents-0`;
}

/** Under one name across its lives, and hasty: an answer that never comes would take half a minute. */
export function provisioner(kubeconfig: string, election: readonly string[] = usualElection, verbosity = 2) {
  return {
    file: join(packageRoot, "src/bin/portway.ts"),
    args: [
      "csi-provisioner",
      `--kubeconfig=${kubeconfig}`,
      ...election,
      "--http-endpoint=",
      `--timeout=${callSeconds}s`,
      "--kube-api-timeout=3s",
      "--retry-interval-start=100ms",
      `-v=${verbosity}`,
    ],
    // KUBECONFIG would win over the flag.
    env: { KUBECONFIG: "" },
  };
}

/** The open intents of a claim, as they are stored. */
export async function intentsOf({ uid }: Pick<World, "uid">, { cluster, admin }: Pick<Stage, "cluster" | "admin">) {
  const { driver, home } = sceneOn({ cluster });
  const page = await admin.find(leases, { namespace: home, name: pageOf(driver) });
  return Object.keys(page?.metadata.annotations ?? {}).filter((mark) => mark === `${intentPrefix}${uid}`);
}

/**
 * Nothing of the claim is in the book, and the process knows it: whoever has not heard that a page was stored writes it
 * again, a second later.
 */
export async function isClosed(world: World, stage: Stage): Promise<boolean> {
  if ((await intentsOf(world, stage)).length > 0) return false;
  const pages = stage.proxy.log().filter(({ resource, upkeep }) => resource === "leases" && !upkeep);
  const last = pages.findLast(({ namespace }) => namespace === sceneOn(stage).home);
  if (last === undefined) return true;
  const isKilled = /kill/.test(last.fault?.kind ?? "");
  return isKilled || (last.delivered && last.code === last.told && last.code === 200);
}

export interface Wish {
  readonly dataSource?: { readonly apiGroup?: string; readonly kind: string; readonly name: string };
}

export async function newNamespace(admin: Client): Promise<string> {
  return (await admin.create(namespaces, { metadata: { name: `provision-${randomWord()}` } })).metadata.name;
}

/** Somebody asks for a volume. */
export async function newClaim(namespace: string, stage: Stage, { dataSource }: Wish = {}): Promise<World> {
  const { metadata } = await stage.admin.create(persistentVolumeClaims, {
    metadata: { namespace, name: "data" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: sceneOn(stage).className,
      ...(dataSource === undefined ? {} : { dataSource }),
    },
  });
  const { name: claim, uid } = metadata;
  return { namespace, claim, uid, volume: `pvc-${uid}`, deeds: [] };
}

export async function isBound({ namespace, claim, volume }: World, { admin }: Stage): Promise<boolean> {
  const found = await admin.find(persistentVolumeClaims, { namespace, name: claim });
  const stored = await admin.find(persistentVolumes, { name: volume });
  return found?.status?.phase === "Bound" && stored?.status?.phase === "Bound";
}

/** Nothing is left of the claim, neither here nor in the driver. */
export async function isGone({ namespace, claim, volume, uid }: World, stage: Stage): Promise<boolean> {
  const { admin } = stage;
  const found = await admin.find(persistentVolumeClaims, { namespace, name: claim });
  if (found?.metadata.uid === uid || (await admin.find(persistentVolumes, { name: volume })) !== undefined)
    return false;
  return volumesOf({ volume }, stage).length === 0;
}

/** What the driver has under the name of the claim's volume. */
export function volumesOf({ volume }: Pick<World, "volume">, stage: Pick<Stage, "cluster">) {
  return Object.values(sceneOn(stage).driver.inventory().volumes).filter(({ name }) => name === volume);
}

/** Somebody does something as soon as it can be done. */
export function deed(world: World, what: string, when: () => Promise<boolean>, act: () => Promise<unknown>): void {
  const done = until(what, when).then(async () => void (await act()));
  done.catch(() => undefined);
  world.deeds.push(done);
}

export async function claimDeleted({ namespace, claim, uid }: World, { admin }: Stage): Promise<void> {
  await admin.delete(persistentVolumeClaims, { namespace, name: claim, uid });
}

/** Everything goes, and is gone in the driver too before the next run begins: calls are counted there. */
export async function clear(world: World, stage: Stage): Promise<void> {
  const { admin } = stage;
  const results = await Promise.allSettled(world.deeds);
  const { namespace, claim: name, uid, volume, sourceVolume } = world;
  // A namespace takes its time.
  const claim = await admin.find(persistentVolumeClaims, { namespace, name });
  if (claim?.metadata.uid === uid) await claimDeleted(world, stage);
  const { metadata } = await admin.get(namespaces, { name: namespace });
  await admin.delete(namespaces, { name: namespace, uid: metadata.uid });
  const kept = await admin.find(persistentVolumes, { name: volume });
  if (kept?.spec?.persistentVolumeReclaimPolicy === "Retain") await forget(kept.metadata, world, stage);
  await until(`${volume} is gone`, async () => {
    if (await isLost(world, stage)) for (const { id } of volumesOf(world, stage)) await removed(id, stage);
    return await isGone(world, stage);
  });
  const source = sourceVolume === undefined ? undefined : await admin.find(persistentVolumes, { name: sourceVolume });
  if (source !== undefined)
    await admin.delete(persistentVolumes, { name: source.metadata.name, uid: source.metadata.uid });
  for (const result of results) if (result.status === "rejected") throw result.reason as Error;
}

/** An admin takes a volume away that was kept. */
async function forget({ name, uid }: { readonly name: string; readonly uid: string }, world: World, stage: Stage) {
  await stage.admin.delete(persistentVolumes, { name, uid });
  for (const { id } of volumesOf(world, stage)) await removed(id, stage);
}

/** Nobody will ever delete it. */
async function isLost(world: World, stage: Stage): Promise<boolean> {
  const stored = await stage.admin.find(persistentVolumes, { name: world.volume });
  return stored === undefined && (await intentsOf(world, stage)).length === 0;
}

async function removed(volumeId: string, stage: Stage): Promise<void> {
  await sceneOn(stage).driver.controller.deleteVolume({ volumeId });
}

export const provisionGround = {
  watched: [{ resource: persistentVolumeClaims }, { resource: persistentVolumes }],
  stateRules: [],
  orderRules: [],
  mendsRefusals: true,
  beside: (stage, undo) => setScene(stage, undo),
  install: (stage) => vendorHome(stage),
  program: (kubeconfig) => provisioner(kubeconfig),
  clear,
} as const satisfies Partial<Flow<World>>;
