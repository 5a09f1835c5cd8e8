import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { configMaps, namespaces, persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { claimThatIs, deleteClaim, newBoundPair, newClaim, newPlace, newVolume } from "../fixture/binding.ts";
import { adminClient, clientOf, keyOf, newNamespace, randomWord } from "../fixture/client.ts";
import { installPortway, transferAccount } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { aClaim, aVolume, everyMark, hold } from "./marks.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
const portway = await clientOf(await transferAccount(cluster));
after(async () => await Promise.all([admin.close(), portway.close()]));

const { annotations = {} } = everyMark;

test("the binder binds a marked claim to a marked volume, and releases the volume again", async (t) => {
  const place = await newPlace(t, admin);
  const volume = await newVolume(t, admin, place, { annotations });
  const claim = await claimThatIs("Bound", admin, keyOf(await newClaim(admin, place, {}, { annotations })));
  equal(claim.spec?.volumeName, volume.metadata.name);
  equal(claim.metadata.annotations?.["pv.kubernetes.io/bind-completed"], "yes", "the binder wrote to its metadata");
  await deleteClaim(admin, claim);
  await until("the volume is Released", async () => {
    return (await admin.get(persistentVolumes, keyOf(volume))).status?.phase === "Released";
  });
});

test("a tenant's held claim loses the protection of Kubernetes when it is deleted, and goes when Portway lets go", async (t) => {
  const namespace = await newNamespace(t, admin);
  const alice = await tenantWith(t, cluster, "alice", namespace, "admin");
  const claim = await aClaim({ t, as: alice, admin }, namespace, everyMark);
  const finalizersNow = async () => (await alice.find(persistentVolumeClaims, keyOf(claim)))?.metadata.finalizers ?? [];
  deepEqual(await finalizersNow(), [hold, "kubernetes.io/pvc-protection"]);
  await alice.delete(persistentVolumeClaims, keyOf(claim));
  await until("pvc-protection has let go", async () => (await finalizersNow()).length === 1);
  deepEqual(await finalizersNow(), [hold]);
  await portway.merge(persistentVolumeClaims, keyOf(claim), { metadata: { finalizers: null } });
  equal(await alice.find(persistentVolumeClaims, keyOf(claim)), undefined);
});

test("the garbage collector takes a marked claim whose owner is gone, in the foreground too", async (t) => {
  const namespace = await newNamespace(t, admin);
  const owner = await admin.create(configMaps, { metadata: { namespace, name: "owner" } });
  const { name, uid } = owner.metadata;
  const reference = { apiVersion: "v1", kind: "ConfigMap", name, uid, blockOwnerDeletion: true };
  const claim = await aClaim({ t, as: admin, admin }, namespace, { annotations, ownerReferences: [reference] });
  await admin.delete(configMaps, keyOf(owner), { propagationPolicy: "Foreground" });
  await until("the claim is gone", async () => {
    return (await admin.find(persistentVolumeClaims, keyOf(claim))) === undefined;
  });
});

test("a namespace with marked and bound claims goes", async (t) => {
  const { metadata } = await admin.create(namespaces, { metadata: { name: `t-${randomWord()}` } });
  const place = { namespace: metadata.name, className: `manual-${randomWord()}` };
  const { claim, volume } = await newBoundPair(t, admin, place);
  await portway.merge(persistentVolumeClaims, keyOf(claim), { metadata: { annotations } });
  await portway.merge(persistentVolumes, keyOf(volume), { metadata: { annotations } });
  await admin.delete(namespaces, metadata);
  await until("the namespace is gone", async () => (await admin.find(namespaces, metadata)) === undefined);
});

test("our marks do not keep anybody from deleting a volume", async (t) => {
  const volume = await aVolume({ t, as: admin, admin }, { annotations });
  await admin.delete(persistentVolumes, keyOf(volume));
  await until("the volume is gone", async () => (await admin.find(persistentVolumes, keyOf(volume))) === undefined);
});
