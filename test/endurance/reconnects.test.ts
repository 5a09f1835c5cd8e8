import { equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { reflect } from "../../src/kube/cache/reflector.ts";
import type { Kept } from "../../src/kube/cache/store.ts";
import { clientOf } from "../fixture/client.ts";
import { ownCluster } from "../fixture/dev-cluster.ts";
import { writeKubeconfigThrough } from "../fixture/kubeconfig-through.ts";
import { until } from "../fixture/portway.ts";
import { tcpProxyTo } from "../fixture/tcp-proxy.ts";
import { createNotes, notes } from "./world.ts";

setFlagsFromString("--expose_gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("200 cut connections leave memory and handles as they were", async (t) => {
  const cluster = await ownCluster(t, {});
  const proxy = await tcpProxyTo(Number(new URL(cluster.state.server).port));
  t.after(() => proxy.close());
  // Node does not always notice a peer that leaves in the middle of a write; pings do.
  const liveness = { pingAfterMilliseconds: 200, deadAfterMilliseconds: 300 };
  const client = await clientOf(await writeKubeconfigThrough(proxy, cluster), { liveness });
  t.after(() => client.close());
  const admin = await clientOf(cluster.kubeconfigOf("admin"));
  t.after(() => admin.close());
  await createNotes(admin, "default", ["one"]);

  let cuts = 0;
  const settings = { firstPauseMilliseconds: 1, longestPauseMilliseconds: 5 };
  const project = ({ metadata }: Kept): Kept => ({ metadata });
  const reflector = reflect({ client, resource: notes, project, settings, onTrouble: () => cuts++ });
  t.after(() => reflector.stop());
  await reflector.untilSynced();

  const cutUntil = async (count: number) => {
    await until(`${count} cuts are noticed`, () => {
      proxy.cut();
      return cuts >= count;
    });
    // A write must still arrive: the last watch is a living one.
    const note = await admin.merge(notes, { namespace: "default", name: "one" }, { data: { cuts: String(cuts) } });
    await reflector.cache.reached(note.metadata.resourceVersion, AbortSignal.timeout(60_000));
    collectGarbage();
    return { heap: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length };
  };
  const early = await cutUntil(40);
  const late = await cutUntil(200);
  ok(late.heap < early.heap + 3 * 1024 * 1024, `the heap grew from ${early.heap} to ${late.heap} bytes`);
  ok(late.handles <= early.handles + 4, `handles grew from ${early.handles} to ${late.handles}`);
  equal(reflector.cache.get("default/one")?.metadata.name, "one");
});
