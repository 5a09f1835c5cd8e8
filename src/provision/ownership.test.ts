import { equal } from "node:assert/strict";
import { test } from "node:test";
import { aClaim } from "../../test/provision/orders.ts";
import { isVolumeOf, provisionerOf } from "./ownership.ts";
import { sourcesNeededBy } from "./watches.ts";

test("the binder's word counts, and its older word where the newer is absent", () => {
  const [now, before] = ["volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner"];
  equal(provisionerOf(aClaim({}, { [now]: "a", [before]: "b" })), "a");
  equal(provisionerOf(aClaim({}, { [before]: "b" })), "b");
  equal(provisionerOf(aClaim()), undefined);
});

const cases: readonly (readonly [says: string, isOurs: boolean, volume: Parameters<typeof isVolumeOf>[0]])[] = [
  ["it has made", true, { metadata: { annotations: { "pv.kubernetes.io/provisioned-by": "d" } } }],
  ["an admin has written for it", true, { metadata: {}, spec: { csi: { driver: "d", volumeHandle: "h" } } }],
  ["it took over", true, { metadata: { annotations: annotated("in-tree", "d") } }],
  [
    "another one has made",
    false,
    { metadata: { annotations: annotated("x") }, spec: { csi: { driver: "d", volumeHandle: "h" } } },
  ],
  ["has no driver at all", false, { metadata: {}, spec: { nfs: { server: "s", path: "/" } } }],
];

function annotated(by: string, to?: string): Record<string, string> {
  return { "pv.kubernetes.io/provisioned-by": by, ...(to === undefined ? {} : { "pv.kubernetes.io/migrated-to": to }) };
}

for (const [says, isOurs, volume] of cases)
  test(`a volume that ${says} is ${isOurs ? "" : "not "}the driver's`, () => equal(isVolumeOf(volume, "d"), isOurs));

test("a source is needed until its claim has a volume, and a populator's is never ours to hold", () => {
  const clone = { dataSource: { kind: "PersistentVolumeClaim", name: "gold" } };
  equal(sourcesNeededBy(aClaim(clone))[0], "team-a/PersistentVolumeClaim/gold");
  equal(sourcesNeededBy(aClaim({ ...clone, volumeName: "pvc-1" })).length, 0);
  equal(sourcesNeededBy(aClaim({ dataSourceRef: { apiGroup: "x.io", kind: "Repo", name: "r" } })).length, 0);
});
