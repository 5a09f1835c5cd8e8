import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { aDriver, driverName } from "../../../test/provision/orders.ts";
import type { StorageClass } from "../../api/gen/storage.ts";
import type { Stored } from "../../api/object.ts";
import { storeOf } from "../../kube/cache/store.ts";
import type { Watches } from "../watches.ts";
import { deletionSecretOf } from "./deletion-secret.ts";

const names = { uid: "u", resourceVersion: "1" };
const classes = storeOf<Stored<StorageClass>>({}, (problem) => {
  throw problem;
});
classes.put({
  metadata: { name: "fast", ...names },
  provisioner: driverName,
  parameters: {
    "csi.storage.k8s.io/provisioner-secret-name": "of-the-class",
    "csi.storage.k8s.io/provisioner-secret-namespace": "drivers",
  },
});
const tools = { facts: aDriver(), watches: { classes } as Pick<Watches, "classes"> as Watches };

function secretOf(annotations: Readonly<Record<string, string>>, storageClassName = "fast") {
  return deletionSecretOf({ metadata: { name: "pvc-1", ...names, annotations }, spec: { storageClassName } }, tools);
}

const [name, namespace] = [
  "volume.kubernetes.io/provisioner-deletion-secret-name",
  "volume.kubernetes.io/provisioner-deletion-secret-namespace",
];
const ours = { "pv.kubernetes.io/provisioned-by": driverName };

test("what was written down when it was made counts", () => {
  deepEqual(secretOf({ ...ours, [name]: "s", [namespace]: "n" }), { name: "s", namespace: "n" });
  deepEqual(secretOf({ ...ours, [name]: "", [namespace]: "" }), undefined);
});

test("on a volume that somebody else has written, the annotations name no Secret: its class does", () => {
  deepEqual(secretOf({ [name]: "token", [namespace]: "kube-system" }), { name: "of-the-class", namespace: "drivers" });
});

test("without a word and without a class there is none", () => {
  deepEqual(secretOf(ours, "gone"), undefined);
});
