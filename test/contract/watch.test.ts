import { deepEqual, equal, ok } from "node:assert/strict";
import { after, test } from "node:test";
import { type ConfigMap, configMaps } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import { adminClient, keyOf, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { told } from "../fixture/told.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

function isAtLeast(version: string | undefined, { metadata }: Stored<ConfigMap>): boolean {
  return BigInt(version ?? 0) >= BigInt(metadata.resourceVersion);
}

test("every change after the given version is told in order, and a deletion with the last state", async (t) => {
  const namespace = await newNamespace(t, admin);
  const before = await admin.create(configMaps, { metadata: { namespace, name: "before" } });
  const made = await admin.create(configMaps, { metadata: { namespace, name: "note" }, data: { text: "1" } });
  const changed = await admin.merge(configMaps, keyOf(made), { data: { text: "2" } });
  await admin.delete(configMaps, keyOf(made));
  const { resourceVersion } = before.metadata;
  const events = await told(admin, configMaps, namespace, { resourceVersion }, ({ type }) => type === "DELETED");
  const ofNote = events.filter(({ object }) => object.metadata.uid === made.metadata.uid);
  deepEqual(
    ofNote.map(({ type, object }) => [type, object.data?.["text"]]),
    [
      ["ADDED", "1"],
      ["MODIFIED", "2"],
      ["DELETED", "2"],
    ],
  );
  const deletedAt = ofNote[2]?.object.metadata.resourceVersion;
  ok(
    isAtLeast(deletedAt, changed) && deletedAt !== changed.metadata.resourceVersion,
    "the deletion has its own version",
  );
});

test("a watch can begin with all there is, and a bookmark says when that was all", async (t) => {
  const namespace = await newNamespace(t, admin);
  const made = await admin.create(configMaps, { metadata: { namespace, name: "note" } });
  const query = { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: "true" };
  const events = await told(admin, configMaps, namespace, query, ({ type }) => type === "BOOKMARK");
  const bookmark = events.at(-1)?.object.metadata;
  deepEqual(bookmark?.annotations, { "k8s.io/initial-events-end": "true" });
  ok(isAtLeast(bookmark?.resourceVersion, made));
  const before = events.slice(0, -1);
  ok(before.every(({ type }) => type === "ADDED"));
  equal(before.filter(({ object }) => object.metadata.uid === made.metadata.uid).length, 1);
});

test("bookmarks move a quiet watch on, and the server ends it when its time is up", async (t) => {
  const namespace = await newNamespace(t, admin);
  const made = await admin.create(configMaps, { metadata: { namespace, name: "note" } });
  const other = await newNamespace(t, admin);
  const elsewhere = await admin.create(configMaps, { metadata: { namespace: other, name: "note" } });
  const { resourceVersion } = made.metadata;
  const events = await told(admin, configMaps, namespace, {
    resourceVersion,
    allowWatchBookmarks: "true",
    timeoutSeconds: "4",
  });
  const last = events.findLast(({ type }) => type === "BOOKMARK")?.object.metadata.resourceVersion;
  ok(isAtLeast(last, elsewhere), `the last bookmark was at ${last}`);
});
