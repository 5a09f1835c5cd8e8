import { deepEqual, equal, ok } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { type ConfigMap, configMaps } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import { type ReflectorSettings, reflect } from "../../src/kube/cache/reflector.ts";
import { GarbledStream } from "../../src/kube/cache/watch-events.ts";
import { adminClient, keyOf, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { expectNothingLeft } from "../fixture/transport.ts";
import { behindProxy } from "./behind-proxy.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());
expectNothingLeft();

const labels = { "portway.dev/test": "faults" };
const labelSelector = "portway.dev/test=faults";

/** A reflector behind a proxy, and what it told: `+name`, `~name`, `-name`. */
async function follower(t: TestContext, settings: Partial<ReflectorSettings> = {}) {
  const namespace = await newNamespace(t, admin);
  const note = (name: string) => admin.create(configMaps, { metadata: { namespace, name, labels } });
  const first = await note("first");
  const { proxy, client } = await behindProxy(t, cluster);
  const troubles: unknown[] = [];
  const reflector = reflect({
    client,
    resource: configMaps,
    where: { namespace, labelSelector },
    project: (object: Stored<ConfigMap>) => object,
    settings: { firstPauseMilliseconds: 20, longestPauseMilliseconds: 200, frozen: true, ...settings },
    onTrouble: (problem) => troubles.push(problem),
  });
  t.after(() => reflector.stop());
  const changes: string[] = [];
  reflector.cache.onChange((before, after) => {
    const sign = before === undefined ? "+" : after === undefined ? "-" : "~";
    changes.push(`${sign}${(after ?? before)?.metadata.name}`);
  });
  await reflector.untilSynced();
  await until("the watch is open", () => proxy.watching("configmaps") === 1);
  const equalsFreshList = async () => {
    await until("the cache equals a fresh list", async () => {
      const pages = await Array.fromAsync(admin.pages(configMaps, { namespace, labelSelector }));
      const stored = pages.flatMap(({ items }) => items.map(versionOf)).toSorted();
      return JSON.stringify([...reflector.cache.values()].map(versionOf).toSorted()) === JSON.stringify(stored);
    });
  };
  return { proxy, client, reflector, troubles, changes, note, first, namespace, equalsFreshList };
}

function versionOf({ metadata: { name, uid, resourceVersion } }: Stored<ConfigMap>): string {
  return `${name} ${uid} ${resourceVersion}`;
}

test("held events are not seen until they are let go, and then all of them in order", async (t) => {
  const { proxy, client, note, first, namespace, changes, troubles, equalsFreshList } = await follower(t);
  proxy.holdWatches("persistentvolumes");
  await note("zeroth");
  await until("what is not meant is not held", () => changes.includes("+zeroth"));
  proxy.holdWatches("configmaps");
  await note("second");
  await admin.merge(configMaps, keyOf(first), { data: { a: "1" } });
  await admin.delete(configMaps, keyOf(first));
  await until("the events have come as far as the proxy", () => proxy.heldEvents("configmaps") >= 3);
  equal((await client.get(configMaps, { namespace, name: "second" })).metadata.name, "second", "a live read sees it");
  deepEqual(changes, ["+first", "+zeroth"]);
  proxy.releaseWatches("persistentvolumes");
  deepEqual(changes, ["+first", "+zeroth"]);
  proxy.releaseWatches("configmaps");
  await equalsFreshList();
  deepEqual(changes, ["+first", "+zeroth", "+second", "~first", "-first"]);
  deepEqual([proxy.heldEvents(), troubles], [0, []]);
});

test("whoever begins to watch while events are held has a whole list, and nothing newer", async (t) => {
  const { proxy, note, changes, equalsFreshList } = await follower(t);
  proxy.holdWatches();
  await note("second");
  equal(proxy.cutWatches("persistentvolumes"), 0);
  equal(proxy.gone("configmaps"), 1);
  await until("the list is read again", () => changes.includes("+second"));
  await note("third");
  await until("the event has come as far as the proxy", () => proxy.heldEvents() >= 1);
  deepEqual(changes, ["+first", "+second"]);
  proxy.releaseWatches();
  await equalsFreshList();
});

test("delayed events come, and not before their time", async (t) => {
  const { proxy, note, changes, equalsFreshList } = await follower(t);
  proxy.delayWatches(300);
  const start = performance.now();
  await note("second");
  await until("it is seen", () => changes.includes("+second"));
  ok(performance.now() - start >= 299);
  proxy.delayWatches(0);
  await equalsFreshList();
});

test("a watch that is cut goes on where it was", async (t) => {
  const { proxy, note, troubles, changes, equalsFreshList } = await follower(t);
  for (const name of ["second", "third", "fourth"]) {
    equal(proxy.cutWatches("configmaps"), 1);
    await note(name);
    await until("the watch is open again", () => proxy.watching() === 1);
  }
  await equalsFreshList();
  deepEqual(changes, ["+first", "+second", "+third", "+fourth"]);
  equal(troubles.length, 3);
  const lists = proxy.reads().filter(({ query }) => query["sendInitialEvents"] === "true");
  equal(lists.length, 1, "there was no need to list again");
});

test("a watch whose connection is cut goes on over a new one, also after a goodbye", async (t) => {
  const { proxy, client, first, note, troubles, changes, equalsFreshList } = await follower(t);
  proxy.cut();
  await note("second");
  await equalsFreshList();
  equal(troubles.length, 1);
  proxy.goaway();
  equal((await client.get(configMaps, keyOf(first))).metadata.uid, first.metadata.uid);
  await note("third");
  await equalsFreshList();
  deepEqual([troubles.length, changes], [1, ["+first", "+second", "+third"]]);
});

test("410 in the middle of a watch makes the reflector list again, and deletions are told", async (t) => {
  const { proxy, first, note, changes, equalsFreshList } = await follower(t);
  proxy.holdWatches();
  await admin.delete(configMaps, keyOf(first));
  await note("second");
  equal(proxy.gone(), 1);
  await equalsFreshList();
  deepEqual(changes.toSorted(), ["+first", "+second", "-first"]);
  const lists = proxy.reads().filter(({ query }) => query["sendInitialEvents"] === "true");
  equal(lists.length, 2);
});

test("an event that is garbled is not lost", async (t) => {
  const { proxy, note, troubles, changes, equalsFreshList } = await follower(t);
  const garbled = proxy.garble("configmaps");
  equal(garbled.fired(), false);
  await note("second");
  await garbled.whenFired;
  await note("third");
  await equalsFreshList();
  ok(troubles[0] instanceof GarbledStream);
  deepEqual(changes, ["+first", "+second", "+third"]);
});

for (const streamed of [true, false]) {
  const how = streamed ? "a streamed first list" : "a list in pages";
  test(`${how} can be the one of before once more, and the reflector catches up from there`, async (t) => {
    const { proxy, first, note, changes, equalsFreshList } = await follower(t, { streamed });
    const other = proxy.staleList("persistentvolumes");
    await admin.delete(configMaps, keyOf(first));
    await note("second");
    await equalsFreshList();
    deepEqual(changes, ["+first", "-first", "+second"]);
    const stale = proxy.staleList("configmaps");
    proxy.gone();
    await stale.whenFired;
    await until("what is long gone is seen again", () => changes.filter((one) => one === "+first").length === 2);
    await equalsFreshList();
    deepEqual(changes.slice(3), ["-second", "+first", "-first", "+second"]);
    equal(other.fired(), false);
  });
}
