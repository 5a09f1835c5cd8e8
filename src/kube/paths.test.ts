import { equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { pathOf } from "./paths.ts";

const claims = {
  group: "",
  version: "v1",
  plural: "persistentvolumeclaims",
  kind: "PersistentVolumeClaim",
  namespaced: true,
};
const classes = {
  group: "storage.k8s.io",
  version: "v1",
  plural: "storageclasses",
  kind: "StorageClass",
  namespaced: false,
};

const cases: readonly (readonly [path: string, expected: string])[] = [
  [pathOf(claims, {}), "/api/v1/persistentvolumeclaims"],
  [pathOf(claims, { namespace: "a" }), "/api/v1/namespaces/a/persistentvolumeclaims"],
  [pathOf(claims, { namespace: "a", name: "c" }, "status"), "/api/v1/namespaces/a/persistentvolumeclaims/c/status"],
  [pathOf(classes, { name: "fast" }), "/apis/storage.k8s.io/v1/storageclasses/fast"],
  [
    pathOf(claims, {}, undefined, { labelSelector: "a=b,c!=d" }),
    "/api/v1/persistentvolumeclaims?labelSelector=a%3Db%2Cc%21%3Dd",
  ],
  [pathOf(classes, { name: "a/../b?x" }), "/apis/storage.k8s.io/v1/storageclasses/a%2F..%2Fb%3Fx"],
];

for (const [path, expected] of cases) test(expected, () => equal(path, expected));

test("a name cannot climb out of its collection", () => {
  throws(() => pathOf(classes, { name: ".." }), /no name of an object/);
  throws(() => pathOf(claims, { namespace: "..", name: "c" }), /no name of an object/);
});

test("a namespaced object without a namespace is a bug that is found before it is sent", () => {
  throws(() => pathOf(claims, { name: "c" }), /no namespace was given/);
});
