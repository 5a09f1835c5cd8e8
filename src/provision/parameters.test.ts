import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { deprecatedIn, driverParametersOf, fsTypeOf, metadataFor } from "./parameters.ts";
import { secretKeys } from "./secret-names.ts";

const key = "csi.storage.k8s.io/fstype";

const types: readonly (readonly [says: string, parameters: Record<string, string>, byDefault: string, type: string])[] =
  [
    ["none", {}, "", ""],
    ["the flag's", {}, "ext4", "ext4"],
    ["the class's before the flag's", { [key]: "xfs" }, "ext4", "xfs"],
    ["the old key's, in whatever case", { FsType: "xfs" }, "ext4", "xfs"],
    ["the flag's where the class leaves it empty", { [key]: "" }, "ext4", "ext4"],
    ["that of the key itself and not of one that looks like it", { "CSI.storage.k8s.io/fstype": "xfs" }, "", ""],
  ];

for (const [says, parameters, byDefault, type] of types) {
  test(`the file system is ${says}`, () => deepEqual(fsTypeOf(parameters, byDefault), { is: "fine", value: type }));
}

for (const parameters of [
  { fstype: "xfs", [key]: "xfs" },
  { fstype: "xfs", FSTYPE: "xfs" },
]) {
  test(`two file systems are one too many: ${Object.keys(parameters).join(" and ")}`, () => {
    const judged = fsTypeOf(parameters, "");
    ok(judged.is === "refused");
    match(judged.because, /fstype more than once, by "fstype" and .*: keep "csi\.storage\.k8s\.io\/fstype" alone/);
  });
}

test("the driver gets everything but the reserved keys", () => {
  const reserved = Object.fromEntries([key, ...secretKeys].map((one) => [one, "x"]));
  equal(Object.keys(reserved).length, 17);
  const own = { pool: "ssd", fstype: "xfs", csiProvisionerSecretName: "one", "csi.storage.k8s.io": "no prefix" };
  deepEqual(driverParametersOf({ ...reserved, ...own }), { is: "fine", value: own });
});

for (const unknown of ["x", "FSTYPE", "pvc/name", "provisioner-secret-nam", ""]) {
  test(`a reserved key that nobody knows is no wish that was granted: "${unknown}"`, () => {
    const judged = driverParametersOf({ pool: "ssd", [`csi.storage.k8s.io/${unknown}`]: "y" });
    ok(judged.is === "refused");
    ok(judged.because.includes(`unknown parameter key "csi.storage.k8s.io/${unknown}" in the reserved namespace`));
  });
}

test("what the driver is told about the claim", () => {
  deepEqual(metadataFor({ namespace: "team-a", name: "data" }, "pvc-1"), {
    "csi.storage.k8s.io/pvc/name": "data",
    "csi.storage.k8s.io/pvc/namespace": "team-a",
    "csi.storage.k8s.io/pv/name": "pvc-1",
  });
});

test("old keys are named with what replaces them", () => {
  deepEqual(deprecatedIn({ pool: "ssd", FSType: "xfs", csiNodeStageSecretName: "one", [key]: "xfs" }), [
    'the parameter "FSType" is deprecated: use "csi.storage.k8s.io/fstype"',
    'the parameter "csiNodeStageSecretName" is deprecated: use "csi.storage.k8s.io/node-stage-secret-name"',
  ]);
});
