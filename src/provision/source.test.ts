import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { aClaim } from "../../test/provision/orders.ts";
import type { PersistentVolumeClaim } from "../api/gen/core.ts";
import { placeOfSource, sourceOf, whoFills } from "./source.ts";

const group = "snapshot.storage.k8s.io";
const snapshot = { apiGroup: group, kind: "VolumeSnapshot", name: "monday" };

test("a claim without a source has none", () => {
  equal(sourceOf(aClaim()), undefined);
  equal(sourceOf({ metadata: {} }), undefined);
});

test("dataSource wins over dataSourceRef", () => {
  const other = { apiGroup: group, kind: "VolumeSnapshot", name: "tuesday" };
  const source = sourceOf(aClaim({ dataSource: snapshot, dataSourceRef: other }));
  deepEqual(source, { group, kind: "VolumeSnapshot", name: "monday", door: "dataSource" });
});

test("no namespace and the claim's own, written out, are not the same", () => {
  const without = sourceOf(aClaim({ dataSourceRef: snapshot }));
  const own = sourceOf(aClaim({ dataSourceRef: { ...snapshot, namespace: "team-a" } }));
  deepEqual(without, { group, kind: "VolumeSnapshot", name: "monday", door: "dataSourceRef" });
  deepEqual(own, { group, kind: "VolumeSnapshot", name: "monday", namespace: "team-a", door: "dataSourceRef" });
});

test("an empty namespace is none", () => {
  const source = sourceOf(aClaim({ dataSourceRef: { ...snapshot, namespace: "" } }));
  equal(source !== undefined && "namespace" in source, false);
});

test("a group that the server writes as null is the core group", () => {
  const text = JSON.stringify(aClaim({ dataSource: { kind: "PersistentVolumeClaim", name: "old" } }));
  const claim = JSON.parse(text.replace('"kind":', '"apiGroup":null,"kind":')) as PersistentVolumeClaim;
  deepEqual(sourceOf(claim), { group: "", kind: "PersistentVolumeClaim", name: "old", door: "dataSource" });
});

const fillers = [
  [group, "VolumeSnapshot", "driver"],
  ["", "PersistentVolumeClaim", "driver"],
  ["", "VolumeSnapshot", "populator"],
  ["example.com", "VolumeSnapshot", "populator"],
  ["example.com", "PersistentVolumeClaim", "populator"],
  [group, "PersistentVolumeClaim", "populator"],
  ["populate.portway.dev", "GitSource", "populator"],
] as const;

for (const [group, kind, filler] of fillers) {
  test(`${kind} of "${group}" is the work of the ${filler}`, () => {
    equal(whoFills({ group, kind, name: "x", door: "dataSourceRef" }), filler);
  });
}

test("a source is looked for in its own namespace, else in the claim's", () => {
  const source = { group, kind: "VolumeSnapshot", name: "monday", door: "dataSourceRef" } as const;
  deepEqual(placeOfSource(source, aClaim()), { namespace: "team-a", name: "monday" });
  deepEqual(placeOfSource({ ...source, namespace: "team-b" }, aClaim()), { namespace: "team-b", name: "monday" });
});
