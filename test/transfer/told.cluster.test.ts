import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { statefulSets } from "../../src/api/gen/apps.ts";
import { events, namespaces, persistentVolumeClaims, resourceQuotas } from "../../src/api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../src/api/gen/transfer.ts";
import type { Metadata, ObjectKey, Resource } from "../../src/api/object.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { claimThatIs, newClaim, newVolume, volumeThatIs } from "../fixture/binding.ts";
import { adminClient, newNamespace, randomWord } from "../fixture/client.ts";
import { installPortway } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { approve, ask, type Transfer, transferOf, untilComplete, untilTold } from "../fixture/transfer.ts";
import { transferController } from "../fixture/transfer-controller.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());
const controller = await transferController({ after }, cluster);
await controller.start();

/** A bound claim, and a place for it in another namespace. */
async function bound(t: TestContext, metadata: Metadata = {}) {
  const from = await newNamespace(t, admin);
  const to = { namespace: await newNamespace(t, admin), name: "bar" };
  return await boundIn(t, from, to, metadata);
}

async function boundIn(t: TestContext, from: string, to: Transfer["to"], metadata: Metadata) {
  const place = { namespace: from, className: `manual-${randomWord()}` };
  const made = await newVolume(t, admin, place, { policy: "Delete" });
  await volumeThatIs("Available", admin, made.metadata);
  const { name } = (await newClaim(admin, place, { volumeName: made.metadata.name }, { name: "foo", ...metadata }))
    .metadata;
  const claim = await claimThatIs("Bound", admin, { namespace: from, name });
  const volume = await volumeThatIs("Bound", admin, made.metadata);
  return { claim, volume, transfer: transferOf({ namespace: from, name }, to) };
}

async function uidOf(resource: Resource, key: ObjectKey): Promise<string> {
  return (await admin.get(resource, key)).metadata.uid;
}

/** What we have told about an object, in the order of the alphabet. Those of cluster-wide objects are in "default". */
async function toldAbout(uid: string, namespace = "default"): Promise<readonly string[]> {
  const found = [];
  for await (const { items } of admin.pages(events, { namespace, fieldSelector: `involvedObject.uid=${uid}` })) {
    found.push(...items.filter(({ source }) => source?.component === "portway-transfer"));
  }
  return found.map(({ type, reason }) => `${type} ${reason}`).sort();
}

async function untilToldAbout(uid: string, namespace: string | undefined, expected: readonly string[]): Promise<void> {
  await until(`${expected.join(", ")} is told`, async () => {
    const said = await toldAbout(uid, namespace);
    return expected.every((one) => said.includes(one));
  });
  deepEqual(await toldAbout(uid, namespace), [...expected].sort());
}

async function valueOf(sample: string): Promise<number> {
  const line = (await controller.metrics()).split("\n").find((one) => one.startsWith(`${sample} `));
  return Number(line?.slice(sample.length) ?? 0);
}

const results = (result: string) => `portway_transfers_total{flow="request",result="${result}"}`;

test("a transfer is told on both claims, both consents and the volume, and counted", async (t) => {
  const { claim, volume, transfer } = await bound(t);
  const { from, to } = transfer;
  const before = await valueOf(results("complete"));
  await ask(admin, transfer);
  await approve(admin, transfer);
  await untilComplete(admin, transfer);
  const [started, completed] = ["Normal TransferStarted", "Normal TransferCompleted"];
  const target = await uidOf(persistentVolumeClaims, to);
  const request = await uidOf(storageTransferRequests, { namespace: to.namespace, name: transfer.request });
  const approval = await uidOf(storageTransferApprovals, { namespace: from.namespace, name: transfer.approval });
  await untilToldAbout(claim.metadata.uid, from.namespace, [started]);
  await untilToldAbout(target, to.namespace, [completed]);
  await untilToldAbout(request, to.namespace, [started, completed]);
  await untilToldAbout(approval, from.namespace, [started, completed]);
  await untilToldAbout(volume.metadata.uid, undefined, [started, completed]);
  equal(await valueOf(results("complete")), before + 1);
  equal(await valueOf("portway_transfers_in_flight"), 0);
  ok((await valueOf('portway_transfer_duration_seconds_count{flow="request"}')) >= 1);
  for (const step of ["lock-volume", "reserve-target", "fence-source", "hand-over", "kick-binder", "settle-volume"])
    ok((await valueOf(`portway_transfer_step_seconds_count{step="${step}"}`)) >= 1, step);
});

test("a transfer that is withdrawn while it waits is told as undone, and no longer counted as waiting", async (t) => {
  const { volume, transfer } = await bound(t);
  const { namespace } = transfer.to;
  const quota = { metadata: { namespace, name: "none" }, spec: { hard: { persistentvolumeclaims: "0" } } };
  await admin.create(resourceQuotas, quota);
  await until("the quota is in force", async () => {
    return (await admin.get(resourceQuotas, { namespace, name: "none" })).status?.hard !== undefined;
  });
  const waiting = 'portway_transfer_waiting{reason="TargetRefused"}';
  const before = await valueOf(results("rolled-back"));
  await ask(admin, transfer);
  await approve(admin, transfer);
  match(await untilTold(admin, transfer, "TargetRefused"), /exceeded quota: none/);
  await until("one waits for room", async () => (await valueOf(waiting)) === 1);
  equal(await valueOf("portway_transfers_in_flight"), 1);
  const key = { namespace: transfer.from.namespace, name: transfer.approval };
  await admin.delete(storageTransferApprovals, { ...key, uid: await uidOf(storageTransferApprovals, key) });
  await untilToldAbout(volume.metadata.uid, undefined, ["Normal TransferStarted", "Warning TransferRolledBack"]);
  equal(await valueOf(results("rolled-back")), before + 1);
  equal(await valueOf(waiting), 0);
  equal((await volumeThatIs("Bound", admin, volume.metadata)).spec?.persistentVolumeReclaimPolicy, "Delete");
});

test("a request that is deleted while it waits is no longer counted", async (t) => {
  const [from, to] = [await newNamespace(t, admin), await newNamespace(t, admin)];
  const transfer = transferOf({ namespace: from, name: "none-such" }, { namespace: to, name: "bar" });
  const waiting = 'portway_transfer_waiting{reason="SourceNotFound"}';
  await approve(admin, transfer);
  await ask(admin, transfer);
  await until("it waits", async () => (await valueOf(waiting)) === 1);
  const key = { namespace: to, name: transfer.request };
  await admin.delete(storageTransferRequests, { ...key, uid: await uidOf(storageTransferRequests, key) });
  await until("nobody waits", async () => (await valueOf(waiting)) === 0);
});

test("a volume that has lost both its namespaces is kept, and the platform team is told", async (t) => {
  const hold = "example.com/wait";
  const [from, to] = [`t-${randomWord()}`, `t-${randomWord()}`];
  for (const name of [from, to]) await admin.create(namespaces, { metadata: { name } });
  const place = { namespace: to, name: "bar" };
  const { claim, volume, transfer } = await boundIn(t, from, place, { finalizers: [hold] });
  await ask(admin, transfer);
  await approve(admin, transfer);
  await until("the source is being given up", async () => {
    return (await admin.get(persistentVolumeClaims, transfer.from)).metadata.deletionTimestamp !== undefined;
  });
  for (const name of [to, from]) await admin.delete(namespaces, { name, uid: await uidOf(namespaces, { name }) });
  await until("the target's namespace is gone", async () => (await admin.find(namespaces, { name: to })) === undefined);
  await admin.merge(persistentVolumeClaims, transfer.from, { metadata: { uid: claim.metadata.uid, finalizers: null } });
  await untilToldAbout(volume.metadata.uid, undefined, ["Normal TransferStarted", "Warning VolumeOrphaned"]);
  const left = await volumeThatIs("Released", admin, volume.metadata);
  equal(left.spec?.persistentVolumeReclaimPolicy, "Retain");
  equal(await valueOf(results("orphaned")), 1);
});

async function statefulSet(namespace: string): Promise<string> {
  const labels = { app: "web" };
  const containers = [{ name: "web", image: "web" }];
  const set = {
    metadata: { namespace, name: "web" },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      serviceName: "web",
      template: { metadata: { labels }, spec: { containers } },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
    },
  } as const;
  return (await admin.create(statefulSets, set)).metadata.uid;
}

for (const [what, name, isOwned, isWarned] of [
  ["is owned by a StatefulSet", "foo", true, true],
  ["has the name of a StatefulSet's template", "data-web-0", false, true],
  ["only looks like one of a StatefulSet", "cache-web-0", false, false],
] as const) {
  test(`whoever asks for a claim that ${what} is ${isWarned ? "" : "not "}warned`, async (t) => {
    const from = await newNamespace(t, admin);
    const uid = await statefulSet(from);
    const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "web", uid, controller: true };
    const to = { namespace: await newNamespace(t, admin), name: "bar" };
    const metadata = { name, ...(isOwned ? { ownerReferences: [owner] } : {}) };
    const { transfer } = await boundIn(t, from, to, metadata);
    await ask(admin, transfer);
    await approve(admin, transfer);
    await untilComplete(admin, transfer);
    const request = await uidOf(storageTransferRequests, { namespace: to.namespace, name: transfer.request });
    const usual = ["Normal TransferCompleted", "Normal TransferStarted"];
    await untilToldAbout(request, to.namespace, isWarned ? [...usual, "Warning SourceHasOwner"] : usual);
  });
}

test("the process serves the metrics of docs/metrics.md and no others", async (t) => {
  const { transfer } = await bound(t);
  await ask(admin, transfer);
  await approve(admin, transfer);
  await untilComplete(admin, transfer);
  const [page = ""] = (await readFile(join(packageRoot, "docs/metrics.md"), "utf8")).split("\n## ");
  const written = [...page.matchAll(/^\| `(\w+)` \| (\w+)/gm)].map(([, name, type]) => `${name} ${type}`);
  const served = [...(await controller.metrics()).matchAll(/^# TYPE (\w+ \w+)$/gm)].map(([, line]) => line);
  deepEqual(new Set(served), new Set(written));
});
