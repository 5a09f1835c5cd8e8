import { join } from "node:path";
import { namespaces, persistentVolumeClaims, persistentVolumes } from "../../../src/api/gen/core.ts";
import { storageClasses } from "../../../src/api/gen/storage.ts";
import {
  type StorageTransferRequestSpecOptions,
  storageTransferApprovals,
  storageTransferPolicies,
  storageTransferRequests,
} from "../../../src/api/gen/transfer.ts";
import type { ObjectKey, Resource } from "../../../src/api/object.ts";
import { journalAnnotation, keptAnnotation, kickAnnotation } from "../../../src/api/transfer/names.ts";
import type { Client } from "../../../src/kube/client.ts";
import { ApiError } from "../../../src/kube/errors.ts";
import type { Operation } from "../../../src/kube/json-patch.ts";
import type { Flow, Stage } from "../../faults/sweep/flow.ts";
import { randomWord } from "../../fixture/client.ts";
import { anApproval, aPolicy, aRequest } from "../../fixture/handshake.ts";
import { installPortway, transferAccount } from "../../fixture/install.ts";
import { until } from "../../fixture/portway.ts";
import { stateRules } from "./oracles.ts";
import { orderRules } from "./order-rules.ts";
import { type Reaper, reaperOf } from "./reaper.ts";
import { layTripwire } from "./tripwire.ts";

/** Two namespaces, a bound volume in the first, and the words by which it goes to the second. */
export interface World {
  readonly from: string;
  readonly to: string;
  readonly volume: string;
  readonly className: string;
  readonly source: string;
  readonly target: string;
  readonly request: string;
  readonly approval: string;
  readonly reaper?: Reaper;
  /** What is to be undone when it is over: acts that never came to happen. */
  readonly after: (() => void)[];
}

type Admin = Pick<Stage, "admin">;

const disks = [{ resource: persistentVolumes }, { resource: persistentVolumeClaims }];

/** The kinds that change on the way, by how people agree. Of a kind that nobody writes no event can be lost. */
export const watchedBy = {
  approval: [...disks, { resource: storageTransferRequests }, { resource: storageTransferApprovals }],
  approvalOfEmpty: [
    { resource: persistentVolumeClaims },
    { resource: storageTransferRequests },
    { resource: storageTransferApprovals },
  ],
  policy: [...disks, { resource: storageTransferRequests }, { resource: storageTransferPolicies }],
  annotation: disks,
} as const;

/** What all flows of a transfer have in common; each adds how it begins and where it ends. */
export const transferGround: Pick<
  Flow<World>,
  "watched" | "stateRules" | "orderRules" | "mayRepeat" | "afterDoubt" | "install" | "program" | "clear"
> = {
  watched: watchedBy.approval,
  stateRules,
  orderRules,
  mayRepeat: ({ body }) => JSON.stringify(body).includes(kickAnnotation.replace("/", "~1")),
  afterDoubt: ({ body }) => renewsOrTouches(body),
  async install({ cluster }) {
    await installPortway(cluster);
    await layTripwire({ cluster });
    return await transferAccount(cluster);
  },
  program: waitingFor("3s"),
  async clear({ from, to, request, approval, volume, className, reaper, after }, { admin }) {
    await reaper?.stop();
    // First of all: a request that is still open would be told of everything that goes.
    await drop(admin, storageTransferRequests, { namespace: to, name: request });
    await drop(admin, storageTransferApprovals, { namespace: from, name: approval });
    await drop(admin, storageTransferPolicies, { namespace: from, name: approval });
    for (const name of [from, to]) await drop(admin, namespaces, { name });
    await drop(admin, persistentVolumes, { name: volume });
    await drop(admin, storageClasses, { name: className });
    for (const undo of after) undo();
  },
};

/** The journal alone in other words, or a mark on a source that keeps its volume. */
function renewsOrTouches(body: unknown): boolean {
  const changes = Array.isArray(body) ? (body as readonly Operation[]).filter(({ op }) => op !== "test") : [];
  const names = [journalAnnotation, keptAnnotation].map((name) => name.replace("/", "~1"));
  return changes.length === 1 && changes.some(({ path }) => names.some((name) => path.endsWith(`/${name}`)));
}

/** For flows in which a write waits until a namespace is gone: given up before, it would be another fault than the planned one. */
export const patient: Pick<Flow<World>, "program"> = { program: waitingFor("20s") };

function waitingFor(timeout: string): Flow<World>["program"] {
  return (kubeconfig) => ({
    file: join(import.meta.dirname, "..", "..", "..", "src", "bin", "portway.ts"),
    args: [
      "controller",
      "--domains=transfer",
      `--kubeconfig=${kubeconfig}`,
      "--leader-election-identity=transfer-0",
      "--http-endpoint=",
      `--kube-api-timeout=${timeout}`,
      "-v=2",
    ],
  });
}

/** Deletes what is there under a name; gone already is as good. */
export async function drop(admin: Client, resource: Resource, key: ObjectKey): Promise<void> {
  const found = await admin.find(resource, key);
  if (found === undefined) return;
  try {
    await admin.delete(resource, { ...key, uid: found.metadata.uid });
  } catch (problem) {
    if (!(problem instanceof ApiError && problem.trouble === "conflict")) throw problem;
  }
}

export async function untilGone(admin: Client, resource: Resource, key: ObjectKey): Promise<void> {
  await until(`${resource.kind} ${key.name} is gone`, async () => (await admin.find(resource, key)) === undefined);
}

interface Setting {
  /** The claim gets another name and stays where it is. */
  readonly renames?: true;
  /** Somebody waits for a mistake, until the world is cleared. */
  readonly hasReaper?: true;
}

export async function emptyWorld({ admin }: Admin, { renames, hasReaper }: Setting): Promise<World> {
  const word = randomWord();
  const [from, to] = [`from-${word}`, renames === true ? `from-${word}` : `to-${word}`];
  for (const name of new Set([from, to])) await admin.create(namespaces, { metadata: { name } });
  return {
    from,
    to,
    volume: `pv-${word}`,
    className: word,
    source: "foo",
    target: "bar",
    request: "transfer-foo",
    approval: "approve-foo",
    after: [],
    ...(hasReaper === true ? { reaper: await reaperOf(admin, ({ metadata }) => metadata.name === `pv-${word}`) } : {}),
  };
}

/** A claim that is bound to a volume with policy Delete, as every dynamic one is. */
export async function boundClaim({ admin }: Admin, setting: Setting = {}): Promise<World> {
  const world = await emptyWorld({ admin }, setting);
  const { from, source, volume, className } = world;
  await makeVolume(world, { admin });
  await admin.create(persistentVolumeClaims, aClaimOf(world, { volumeName: volume, storageClassName: className }));
  await until("the source is bound", async () => {
    const claim = await admin.get(persistentVolumeClaims, { namespace: from, name: source });
    const disk = await admin.get(persistentVolumes, { name: volume });
    return claim.status?.phase === "Bound" && disk.status?.phase === "Bound";
  });
  return world;
}

/** A claim of a class that makes no volume before a pod comes. */
export async function emptyClaim({ admin }: Admin, setting: Setting = {}): Promise<World> {
  const world = await emptyWorld({ admin }, setting);
  const { className } = world;
  await admin.create(storageClasses, {
    metadata: { name: className },
    provisioner: "transfer.test.portway.dev",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  await admin.create(persistentVolumeClaims, aClaimOf(world, { storageClassName: className }));
  return world;
}

function aClaimOf({ from, source }: World, spec: { readonly volumeName?: string; readonly storageClassName: string }) {
  return {
    metadata: { namespace: from, name: source },
    spec: { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } }, ...spec },
  };
}

export async function makeVolume(
  { volume, className }: World,
  { admin }: Admin,
  claimRef?: { readonly namespace: string; readonly name: string },
): Promise<void> {
  await admin.create(persistentVolumes, {
    metadata: { name: volume },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      csi: { driver: "transfer.test.portway.dev", volumeHandle: className },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: className,
      ...(claimRef === undefined ? {} : { claimRef }),
    },
  });
}

export async function ask(
  { from, to, request, approval, source, target }: World,
  { admin }: Admin,
  options?: StorageTransferRequestSpecOptions,
): Promise<void> {
  const wanted = aRequest(to, {
    source: { name: source, namespace: from, kind: "PersistentVolumeClaim" },
    approvalName: approval,
    targetName: target,
    ...(options === undefined ? {} : { options }),
  });
  await admin.create(storageTransferRequests, { ...wanted, metadata: { namespace: to, name: request } });
}

/** Pinned, it covers this claim and no other, however old. */
export async function approve(
  { from, to, request, approval, source }: World,
  { admin }: Admin,
  { pinned = false }: { readonly pinned?: boolean } = {},
): Promise<void> {
  const { uid } = (await admin.get(persistentVolumeClaims, { namespace: from, name: source })).metadata;
  const given = anApproval(from, {
    source: { name: source, kind: "PersistentVolumeClaim", ...(pinned ? { uid } : {}) },
    targetNamespace: to,
    requestName: request,
  });
  await admin.create(storageTransferApprovals, { ...given, metadata: { namespace: from, name: approval } });
}

/** Beforehand, for whoever asks from there; under the name that an approval would have. */
export async function approveBeforehand({ from, to, approval }: World, { admin }: Admin): Promise<void> {
  const given = aPolicy(from, { targets: { namespaces: [to] }, count: 2 });
  await admin.create(storageTransferPolicies, { ...given, metadata: { namespace: from, name: approval } });
}
