import { deepEqual, equal, rejects } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, type TestContext, test } from "node:test";
import { configMaps } from "../../src/api/gen/core.ts";
import type { Kubeconfig } from "../../src/dev/cluster/handle.ts";
import { follow } from "../../src/kube/cache/watch-events.ts";
import { adminClient, clientOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { tcpProxyTo } from "../fixture/tcp-proxy.ts";
import { expectNothingLeft } from "../fixture/transport.ts";
import { faultProxy } from "./proxy/fault-proxy.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());
expectNothingLeft();

/** A client behind a proxy behind a wire that can be cut: to the proxy the server is gone then. */
async function behindWire(t: TestContext) {
  const path = cluster.kubeconfigOf("admin");
  const config = JSON.parse(await readFile(path, "utf8")) as Kubeconfig;
  const ca = await readFile(config.clusters[0]?.cluster["certificate-authority"] ?? "", "utf8");
  const wire = await tcpProxyTo(Number(new URL(cluster.state.server).port));
  const proxy = await faultProxy({ server: `https://127.0.0.1:${wire.port}`, ca });
  const client = await clientOf(await proxy.kubeconfigFor(path));
  t.after(async () => {
    await proxy.close();
    await client.close();
  });
  return { wire, proxy, client };
}

test("when the connection to the server is lost its streams fail, and the next request has a new one", async (t) => {
  const { wire, proxy, client } = await behindWire(t);
  t.after(() => wire.close());
  const namespace = await newNamespace(t, admin);
  const { metadata } = await client.create(configMaps, { metadata: { namespace, name: "note" } });
  const { body } = await client.watch(configMaps, { namespace }, { resourceVersion: metadata.resourceVersion });
  const patient = { silentMilliseconds: 60_000, signal: new AbortController().signal };
  const watching = rejects(
    follow(body, () => undefined, patient),
    /lost|cut off/,
  );
  wire.stall();
  const write = refusalOf(client.create(configMaps, { metadata: { namespace, name: "unheard" } }));
  await until("the write is under way", () => proxy.log().length === 2);
  wire.cut();
  wire.flow();
  await watching;
  const { code, trouble } = await write;
  deepEqual([code, trouble], [0, "in-doubt"]);
  deepEqual([proxy.log()[1]?.code, proxy.log()[1]?.delivered], [undefined, false]);
  equal((await client.get(configMaps, { namespace, name: "note" })).metadata.uid, metadata.uid);
});

test("a write that waits for a connection which never comes about is not in doubt, and is sent over the next", async (t) => {
  const { wire, proxy, client } = await behindWire(t);
  t.after(() => wire.close());
  const namespace = await newNamespace(t, admin);
  wire.stall();
  const write = client.create(configMaps, { metadata: { namespace, name: "late" } });
  await until("the write waits", () => proxy.log().length === 1);
  wire.cut();
  wire.flow();
  equal((await write).metadata.name, "late");
  equal(proxy.log()[0]?.code, undefined);
});

test("a write to a server that is not there is not in doubt: it was never sent", async (t) => {
  const { wire, client } = await behindWire(t);
  await wire.close();
  const write = client.create(configMaps, { metadata: { namespace: "default", name: "never" } });
  deepEqual((await refusalOf(write)).trouble, "transient");
});
