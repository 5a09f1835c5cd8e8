import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { type PersistentVolume, persistentVolumes } from "../../src/api/gen/core.ts";
import { Change } from "../../src/kube/json-patch.ts";
import { newBoundPair, newPlace, newVolume, volumeThatIs } from "../fixture/binding.ts";
import { adminClient, blamedFields, keyOf, randomWord, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";

/** What may be written to a PersistentVolume. */
const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

const place = { className: `manual-${randomWord()}` };

test("the claimRef of a volume takes anything, even a name that no claim can have", async (t) => {
  const volume = await newVolume(t, admin, place);
  const claimRef = { namespace: "No Such", name: "BAD name", uid: "not a uid" };
  const { spec } = await admin.merge(persistentVolumes, keyOf(volume), { spec: { claimRef } });
  deepEqual(spec?.claimRef, claimRef);
});

test("the policy, the class and the claimRef of a bound volume change in one write", async (t) => {
  const { volume } = await newBoundPair(t, admin, await newPlace(t, admin));
  const change = {
    persistentVolumeReclaimPolicy: "Delete",
    storageClassName: `manual-${randomWord()}`,
    claimRef: { namespace: "elsewhere", name: "other", uid: null },
  };
  const { spec } = await admin.merge(persistentVolumes, keyOf(volume), { spec: change });
  deepEqual([spec?.persistentVolumeReclaimPolicy, spec?.storageClassName], ["Delete", change.storageClassName]);
  deepEqual([spec?.claimRef?.namespace, spec?.claimRef?.name], ["elsewhere", "other"]);
});

test("the source of a volume is immutable", async (t) => {
  const volume = await newVolume(t, admin, place);
  for (const csi of [{ volumeHandle: "another" }, { nodeStageSecretRef: { namespace: "a", name: "b" } }]) {
    const refusal = await refusalOf(admin.merge(persistentVolumes, keyOf(volume), { spec: { csi } }));
    deepEqual([refusal.code, refusal.trouble], [422, "refused"]);
    deepEqual(blamedFields(refusal), ["spec.persistentvolumesource"]);
  }
});

test("the secret for expanding may be set once, and never again", async (t) => {
  const volume = await newVolume(t, admin, place);
  const write = (name: string) => {
    const csi = { controllerExpandSecretRef: { namespace: "a", name } };
    return admin.merge(persistentVolumes, keyOf(volume), { spec: { csi } });
  };
  equal((await write("first")).spec?.csi?.controllerExpandSecretRef?.name, "first");
  equal((await refusalOf(write("second"))).code, 422);
});

test("the secret for deleting is an annotation, and free", async (t) => {
  const annotation = "volume.kubernetes.io/provisioner-deletion-secret-name";
  const volume = await newVolume(t, admin, place, { annotations: { [annotation]: "old" } });
  const { metadata } = await admin.merge(persistentVolumes, keyOf(volume), {
    metadata: { annotations: { [annotation]: "new" } },
  });
  equal(metadata.annotations?.[annotation], "new");
});

test("a patch may test the phase of a volume, though it cannot write it", async (t) => {
  const { metadata } = await newVolume(t, admin, place);
  const volume = await volumeThatIs("Available", admin, metadata);
  const retain = (seen: typeof volume) => {
    const change = new Change(seen).expecting(["status", "phase"]).set(["metadata", "labels", "seen"], "yes");
    return admin.patch(persistentVolumes, keyOf(seen), change.operations);
  };
  const refusal = await refusalOf(retain({ ...volume, status: { phase: "Bound" } }));
  deepEqual([refusal.code, refusal.trouble, refusal.causes], [422, "conflict", []]);
  equal((await retain(volume)).metadata.labels?.["seen"], "yes");
  const written = await admin.merge(persistentVolumes, keyOf(volume), { status: { phase: "Bound" } });
  equal(written.status?.phase, "Available");
});

test("fields of a volume that our types do not name survive a read and a write", async (t) => {
  const fc = { targetWWNs: ["50060e801049cfd1"], lun: 0 };
  const spec: PersistentVolume["spec"] & { readonly fc: typeof fc } = {
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "1Gi" },
    storageClassName: place.className,
    fc,
  };
  const made = await admin.create(persistentVolumes, { metadata: { name: `t-${randomWord()}` }, spec });
  t.after(() => admin.delete(persistentVolumes, keyOf(made)));
  const seen = await volumeThatIs("Available", admin, made.metadata);
  const labels = { seen: "yes" };
  const written = await admin.update(persistentVolumes, { ...seen, metadata: { ...seen.metadata, labels } });
  deepEqual((written.spec as typeof spec).fc, fc);
  deepEqual(written.metadata.labels, labels);
});
