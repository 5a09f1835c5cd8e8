import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, Stored } from "../api/object.ts";
import { Change } from "./json-patch.ts";

function seen(more: object = {}): Stored<KubeObject> {
  return { metadata: { name: "pv-1", uid: "u1", resourceVersion: "7", ...more } };
}

const identity = [
  { op: "test", path: "/metadata/uid", value: "u1" },
  { op: "test", path: "/metadata/resourceVersion", value: "7" },
];

test("a change tests identity and version first", () => {
  deepEqual(new Change(seen()).operations, identity);
});

test("a change of any version still tests identity", () => {
  deepEqual(new Change(seen(), { anyVersion: true }).operations, identity.slice(0, 1));
});

test("what was not there is not removed: the server would answer as if a test had failed", () => {
  const change = new Change(seen()).remove(["metadata", "annotations", "a"]);
  deepEqual(change.operations, identity);
  equal(change.isEmpty, true);
});

test("parents that are missing are made once", () => {
  const change = new Change(seen())
    .set(["metadata", "annotations", "x.dev/a"], "1")
    .set(["metadata", "annotations", "b~c"], "2");
  deepEqual(change.operations.slice(2), [
    { op: "test", path: "/metadata/annotations", value: null },
    { op: "add", path: "/metadata/annotations", value: {} },
    { op: "add", path: "/metadata/annotations/x.dev~1a", value: "1" },
    { op: "add", path: "/metadata/annotations/b~0c", value: "2" },
  ]);
});

test("parents that are there are left alone", () => {
  const change = new Change(seen({ annotations: { other: "kept" } })).set(["metadata", "annotations", "a"], "1");
  deepEqual(change.operations.slice(2), [{ op: "add", path: "/metadata/annotations/a", value: "1" }]);
});

test("one finalizer goes, the others stay where they are", () => {
  const change = new Change(seen({ finalizers: ["theirs", "ours"] }))
    .removeFinalizer("ours")
    .removeFinalizer("nobody's");
  deepEqual(change.operations.slice(2), [
    { op: "test", path: "/metadata/finalizers/1", value: "ours" },
    { op: "remove", path: "/metadata/finalizers/1" },
  ]);
});

test("a finalizer is added once", () => {
  deepEqual(new Change(seen()).addFinalizer("ours").operations.at(-1), {
    op: "add",
    path: "/metadata/finalizers",
    value: ["ours"],
  });
  deepEqual(new Change(seen({ finalizers: ["theirs"] })).addFinalizer("ours").operations.at(-1), {
    op: "add",
    path: "/metadata/finalizers/-",
    value: "ours",
  });
  equal(new Change(seen({ finalizers: ["ours"] })).addFinalizer("ours").isEmpty, true);
});

test("several finalizers in one change do not get in each other's way", () => {
  const added = new Change(seen()).addFinalizer("a").addFinalizer("b").operations.slice(2);
  deepEqual(added, [
    { op: "test", path: "/metadata/finalizers", value: null },
    { op: "add", path: "/metadata/finalizers", value: ["a"] },
    { op: "add", path: "/metadata/finalizers/-", value: "b" },
  ]);
  const removed = new Change(seen({ finalizers: ["a", "b"] })).removeFinalizer("a").removeFinalizer("b").operations;
  deepEqual(removed.at(-1), { op: "remove", path: "/metadata/finalizers/0" });
});

test("what we rely on can be demanded, also that it is absent", () => {
  const change = new Change(seen(), { anyVersion: true })
    .expecting(["metadata", "name"])
    .expecting(["spec", "claimRef"]);
  deepEqual(change.operations.slice(1), [
    { op: "test", path: "/metadata/name", value: "pv-1" },
    { op: "test", path: "/spec", value: null },
  ]);
});
