import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { type Claim, keptClaim, keptVolume, type Volume } from "./kept.ts";
import { cloneFinalizer, volumeFinalizer } from "./names.ts";

const names = { name: "data", namespace: "team-a", uid: "u", resourceVersion: "7" };
const driver = "d.example.com";
const asked = { "volume.kubernetes.io/storage-provisioner": driver };

function aClaim(metadata: object, volumeName?: string): Claim {
  const managed = { managedFields: [{ manager: "somebody" }], labels: { app: "db" } };
  const spec = { storageClassName: "fast", accessModes: ["ReadWriteOnce"] } as const;
  return {
    metadata: { ...names, ...managed, ...metadata },
    spec: volumeName === undefined ? spec : { ...spec, volumeName },
  };
}

test("a claim of another driver is a name", () => {
  const annotations = { "volume.kubernetes.io/storage-provisioner": "other" };
  deepEqual(keptClaim(aClaim({ annotations }), driver), { metadata: names });
});

test("a claim that waits for its volume is kept whole, but for who wrote what", () => {
  const kept = keptClaim(aClaim({ annotations: asked }), driver);
  deepEqual(kept.spec, { storageClassName: "fast", accessModes: ["ReadWriteOnce"] });
  deepEqual(kept.metadata, { ...names, labels: { app: "db" }, annotations: asked });
});

test("of a claim that has its volume, little is kept: whose it is, which volume, and whether it goes", () => {
  const annotations = { "volume.beta.kubernetes.io/storage-provisioner": driver, "a.note/of": "somebody" };
  const finalizers = ["kubernetes.io/pvc-protection"];
  deepEqual(keptClaim(aClaim({ annotations, finalizers, deletionTimestamp: "now" }, "pvc-u"), driver), {
    metadata: { ...names, annotations: asked, deletionTimestamp: "now" },
    spec: { volumeName: "pvc-u", storageClassName: "fast" },
  });
});

test("a claim that is held as a source keeps its finalizers, whosever it is", () => {
  const finalizers = ["kubernetes.io/pvc-protection", cloneFinalizer];
  const kept = keptClaim(aClaim({ finalizers }, "pvc-u"), driver);
  deepEqual(kept.metadata, { ...names, finalizers });
});

const marks = {
  "pv.kubernetes.io/provisioned-by": driver,
  "volume.kubernetes.io/provisioner-deletion-secret-name": "s",
  "volume.kubernetes.io/provisioner-deletion-secret-namespace": "n",
};

test("of a volume, what its end may depend on is kept", () => {
  const metadata = { name: "pvc-u", uid: "v", resourceVersion: "8" };
  const claimRef = { namespace: "team-a", name: "data", uid: "u" };
  const spec = { persistentVolumeReclaimPolicy: "Delete", storageClassName: "fast" } as const;
  const csi = { driver, volumeHandle: "h" };
  const finalizers = ["kubernetes.io/pv-protection", volumeFinalizer];
  const volume: Volume = {
    metadata: { ...metadata, finalizers, annotations: { ...marks, "a.note/of": "somebody" }, deletionTimestamp: "now" },
    spec: {
      ...spec,
      capacity: { storage: "1Gi" },
      claimRef: { ...claimRef, kind: "PersistentVolumeClaim", resourceVersion: "3" },
      csi: { ...csi, volumeAttributes: { tier: "1" } },
    },
    status: { phase: "Released", message: "m" },
  };
  deepEqual(keptVolume(volume, driver), {
    metadata: { ...metadata, finalizers, annotations: marks, deletionTimestamp: "now" },
    spec: { ...spec, claimRef, csi },
    status: { phase: "Released" },
  });
  deepEqual(keptVolume(volume, "other"), { metadata });
});

test("what a volume does not have is not made up", () => {
  const metadata = { name: "static", uid: "v", resourceVersion: "8" };
  const csi = { driver, volumeHandle: "h" };
  const kept = keptVolume({ metadata, spec: { csi } }, driver);
  deepEqual(kept, { metadata: { ...metadata, annotations: {} }, spec: { csi } });
  equal("finalizers" in kept.metadata, false);
});
