import { equal } from "node:assert/strict";
import { after, test } from "node:test";
import { configMaps } from "../../src/api/gen/core.ts";
import { handOf } from "../../src/runtime/hand.ts";
import { behindProxy } from "../faults/behind-proxy.ts";
import { adminClient, keyOf, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { engineIn } from "./tiny.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

for (const [says, labelSelector] of [
  ["a watch", undefined],
  ["a watch of some", "deed"],
] as const) {
  test(`${says} shows what this process has deleted as gone, before the server tells it`, async (t) => {
    const { proxy, client } = await behindProxy(t, cluster);
    const namespace = await newNamespace(t, admin);
    const metadata = { namespace, name: "note", labels: { deed: "mine" } };
    const note = await admin.create(configMaps, { metadata });
    const { sources } = engineIn(t, client).engine;
    const where = labelSelector === undefined ? { namespace } : { namespace, labelSelector };
    const watched = sources.watch(configMaps, { where, project: (one) => one });
    await watched.untilSynced();
    proxy.holdWatches();
    const { signal } = new AbortController();
    const hand = handOf({ client, sources, holdsLease: () => true, signal, tell: () => undefined });
    await hand.delete(configMaps, { namespace, ...keyOf(note) });
    equal(watched.cache.get(`${namespace}/note`), undefined);
  });
}

test("also when the watches have been stopped and the last step is still under way", async (t) => {
  const { client } = await behindProxy(t, cluster);
  const namespace = await newNamespace(t, admin);
  const note = await admin.create(configMaps, { metadata: { namespace, name: "note" } });
  const { sources } = engineIn(t, client).engine;
  const watched = sources.watch(configMaps, { where: { namespace }, project: (one) => one });
  await watched.untilSynced();
  await sources.stop();
  const { signal } = new AbortController();
  const hand = handOf({ client, sources, holdsLease: () => true, signal, tell: () => undefined });
  await hand.update(configMaps, { ...note, data: { written: "yes" } });
  equal(watched.cache.get(`${namespace}/note`)?.data?.["written"], "yes");
});
