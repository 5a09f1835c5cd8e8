import { deepEqual, equal, notEqual } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { type PersistentVolumeSpec, persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../src/api/gen/transfer.ts";
import { journalOn } from "../../src/api/transfer/journal.ts";
import { boundByController, journalAnnotation, seedMarks } from "../../src/api/transfer/names.ts";
import { actsOf } from "../fixture/audit.ts";
import { claimThatIs, newClaim, newVolume, type Volume, volumeThatIs } from "../fixture/binding.ts";
import { adminClient, newNamespace, randomWord } from "../fixture/client.ts";
import { installPortway } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { approve, ask, statusOf, type Transfer, transferOf, untilComplete, untilTold } from "../fixture/transfer.ts";
import { transferController } from "../fixture/transfer-controller.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());
const controller = await transferController({ after }, cluster);
await controller.start();

type Source = Pick<PersistentVolumeSpec, "csi" | "nfs" | "local" | "hostPath" | "nodeAffinity" | "volumeMode">;

const csi = {
  driver: "contract.portway.dev",
  volumeHandle: "vol-1",
  volumeAttributes: { tier: "fast" },
  fsType: "xfs",
};
const onOneNode = {
  required: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["node-1"] }] }],
  },
} as const;

const kinds: readonly (readonly [name: string, policy: "Delete" | "Retain", source: Source])[] = [
  ["CSI volume with the policy Delete", "Delete", { csi }],
  ["CSI volume with the policy Retain", "Retain", { csi }],
  ["static NFS volume", "Retain", { nfs: { server: "nfs.example.com", path: "/export/db" } }],
  ["local volume that is on one node", "Retain", { local: { path: "/mnt/disks/ssd1" }, nodeAffinity: onOneNode }],
  ["hostPath volume", "Retain", { hostPath: { path: "/srv/data", type: "DirectoryOrCreate" } }],
  ["CSI volume in mode Block", "Delete", { csi: { driver: csi.driver, volumeHandle: "vol-2" }, volumeMode: "Block" }],
];

for (const [name, policy, source] of kinds) {
  test(`a ${name} is handed over, and nothing but its owner has changed`, async (t) => {
    const { transfer, volume } = await boundClaim(t, { persistentVolumeReclaimPolicy: policy, ...source });
    await handOver(transfer);
    const claim = await claimThatIs("Bound", admin, transfer.to);
    const now = await volumeThatIs("Bound", admin, volume.metadata);
    deepEqual(withoutOwner(now), withoutOwner(volume));
    equal(now.spec?.persistentVolumeReclaimPolicy, policy);
    equal(now.spec?.claimRef?.uid, claim.metadata.uid);
    equal(claim.spec?.volumeMode, source.volumeMode ?? "Filesystem");
    equal(await admin.find(persistentVolumeClaims, transfer.from), undefined);
  });
}

test("a volume goes there and back ten times, and stays the same volume", async (t) => {
  const { transfer, volume } = await boundClaim(t, { csi });
  const { from, to } = transfer;
  const approvals: Transfer[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const one = turn % 2 === 0 ? transferOf(from, to) : transferOf(to, from);
    await handOver(one);
    approvals.push(one);
    const now = await volumeThatIs("Bound", admin, volume.metadata);
    const reading = journalOn(now);
    equal(reading.is === "journal" && reading.journal.approval?.name, one.approval, "the journal is of this transfer");
    equal(now.spec?.persistentVolumeReclaimPolicy, "Delete");
  }
  const now = await volumeThatIs("Bound", admin, volume.metadata);
  deepEqual(withoutOwner(now), withoutOwner(volume));
  for (const { from, approval } of approvals) {
    const { status } = await admin.get(storageTransferApprovals, { namespace: from.namespace, name: approval });
    equal(status?.consumed, true);
  }
  const places = [from.namespace, to.namespace];
  const acts = (await actsOf(cluster, "portway-transfer")).filter(({ namespace }) => places.includes(namespace));
  const made = acts.filter(({ verb, resource }) => verb === "create" && resource === "persistentvolumeclaims");
  equal(made.length, 20, "each is done once: nobody else is at work on a volume that comes from another namespace now");
  await oldApprovalsAreOfNoUse(approvals);
});

/** The claim is back where the first approval was given, under the same name; a new request cannot use it again. */
async function oldApprovalsAreOfNoUse([first]: readonly Transfer[]): Promise<void> {
  if (first === undefined) throw new Error("there was no transfer");
  const { metadata } = await admin.get(storageTransferRequests, { namespace: first.to.namespace, name: first.request });
  await admin.delete(storageTransferRequests, metadata);
  await ask(admin, first);
  await untilTold(admin, first, "AwaitingApproval");
  equal((await claimThatIs("Bound", admin, first.from)).metadata.deletionTimestamp, undefined);
}

test("a finished request goes when its time is over, and leaves the target alone", async (t) => {
  const { transfer } = await boundClaim(t, { csi });
  await ask(admin, transfer, { ttlSecondsAfterFinished: 1 });
  await approve(admin, transfer);
  const { namespace } = transfer.to;
  await until("the request is gone", async () => {
    return (await admin.find(storageTransferRequests, { namespace, name: transfer.request })) === undefined;
  });
  await claimThatIs("Bound", admin, transfer.to);
});

test("kubectl wait --for=condition=Complete ends when the volume has arrived", async (t) => {
  const { transfer } = await boundClaim(t, { csi });
  const { namespace } = transfer.to;
  await ask(admin, transfer);
  const words = ["wait", `storagetransferrequest/${transfer.request}`, "--for=condition=Complete", "--timeout=120s"];
  const waiting = cluster.kubectl(["-n", namespace, ...words]);
  await approve(admin, transfer);
  await waiting;
  const { targetUID } = await statusOf(admin, transfer);
  equal(targetUID, (await claimThatIs("Bound", admin, transfer.to)).metadata.uid);
  notEqual(targetUID, undefined);
});

async function handOver(transfer: Transfer): Promise<void> {
  await approve(admin, transfer);
  await ask(admin, transfer);
  await untilComplete(admin, transfer);
}

/** A claim with this kind of volume in one namespace, and a second namespace that is to have it. */
async function boundClaim(
  t: TestContext,
  spec: Partial<PersistentVolumeSpec>,
): Promise<{ readonly transfer: Transfer; readonly volume: Volume }> {
  const place = { namespace: await newNamespace(t, admin), className: `manual-${randomWord()}` };
  const to = { namespace: await newNamespace(t, admin), name: "bar" };
  const { metadata } = await newVolume(t, admin, place, {
    source: { persistentVolumeReclaimPolicy: "Delete", ...spec },
  });
  await volumeThatIs("Available", admin, metadata);
  const { volumeMode } = spec;
  const wanted = { volumeName: metadata.name, ...(volumeMode === undefined ? {} : { volumeMode }) };
  await newClaim(admin, place, wanted, { name: "foo" });
  await claimThatIs("Bound", admin, { namespace: place.namespace, name: "foo" });
  const volume = await volumeThatIs("Bound", admin, metadata);
  return { transfer: transferOf({ namespace: place.namespace, name: "foo" }, to), volume };
}

/** Everything of a volume that must not change: all but whose it is, and what Portway and the binder note about that. */
function withoutOwner({ metadata, spec }: Volume) {
  const { name, uid, labels, finalizers, annotations = {} } = metadata;
  const noted = new Set<string>([journalAnnotation, boundByController, ...Object.values(seedMarks)]);
  const { claimRef: _, ...rest } = spec ?? {};
  const others = Object.entries(annotations).filter(([key]) => !noted.has(key));
  return { name, uid, labels, finalizers, annotations: Object.fromEntries(others), spec: rest };
}
