import { equal } from "node:assert/strict";
import { test } from "node:test";
import { constantName, fileOf, propertyPlace, singularPlace } from "./names.ts";

const constants: readonly (readonly [kind: string, plural: string, name: string])[] = [
  ["Pod", "pods", "pods"],
  ["PersistentVolumeClaim", "persistentvolumeclaims", "persistentVolumeClaims"],
  ["StorageClass", "storageclasses", "storageClasses"],
  ["CSINode", "csinodes", "csiNodes"],
  ["CSIStorageCapacity", "csistoragecapacities", "csiStorageCapacities"],
  ["StorageTransferPolicy", "storagetransferpolicies", "storageTransferPolicies"],
];
for (const [kind, plural, name] of constants) {
  test(`the resource of ${kind} is called ${name}`, () => equal(constantName(kind, plural), name));
}

const at = { path: "Crate", file: "example.ts", name: "Crate" };
const items: readonly (readonly [property: string, name: string])[] = [
  ["sources", "CrateSource"],
  ["policies", "CratePolicy"],
  ["classes", "CrateClass"],
  ["from", "CrateFrom"],
  ["status", "CrateStatus"],
  ["access", "CrateAccess"],
];
for (const [property, name] of items) {
  test(`an item of ${property} is a ${name}`, () => {
    equal(singularPlace(propertyPlace(at, property), "[]").name, name);
  });
}

test("a group is written to a file named by its first word, and the group without a name to core", () => {
  equal(fileOf("snapshot.storage.k8s.io"), "snapshot.ts");
  equal(fileOf(""), "core.ts");
});
