import { deepEqual, equal, ok } from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { after, type TestContext, test } from "node:test";
import { leases } from "../../src/api/gen/coordination.ts";
import { type FaultProxy, faultProxy } from "../faults/proxy/fault-proxy.ts";
import type { Fault } from "../faults/proxy/faults.ts";
import { adminClient, keyOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { type Running, start, until } from "../fixture/portway.ts";
import { handOverADeed as flow, type World } from "../sample/flow.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());
const account = await flow.install({ cluster, admin });
const lease = { namespace: "portway-sample", name: "portway-sample" };

interface AtWork {
  readonly proxy: FaultProxy;
  readonly running: Running;
  readonly world: World;
  readonly url: string;
}

/** The sample in the middle of its third write, to which this happens. */
async function atWork(t: TestContext, fault: Fault): Promise<AtWork> {
  const left = await admin.find(leases, lease);
  if (left !== undefined) await admin.delete(leases, keyOf(left));
  const proxy = await faultProxy({ kubeconfig: cluster.kubeconfigOf("admin") });
  t.after(() => proxy.close());
  const url = `http://127.0.0.1:${await freePort()}`;
  const running = sample(t, await proxy.kubeconfigFor(account), url.slice("http://".length));
  await until("it is ready", async () => (await readiness(url)) === 200);
  await until("it is at work", () => running.said().includes("at work"));
  proxy.arm({ site: { n: 3 }, fault });
  const stage = { admin } as Parameters<typeof flow.begin>[0];
  const world = await flow.begin(stage);
  t.after(() => flow.clear(world, stage));
  await until("the third write is under way", () => proxy.log().some(({ n }) => n === 3));
  return { proxy, running, world, url };
}

function sample(t: TestContext, kubeconfig: string, endpoint: string): Running {
  const words = [`--kubeconfig=${kubeconfig}`, `--http-endpoint=${endpoint}`, "--leader-election-identity=only"];
  return start(t, words, { program: "test/sample/run.ts" });
}

/** Whoever is started next finishes what was left, and nothing stays behind that holds a namespace. */
async function finish(t: TestContext, world: World): Promise<void> {
  const next = sample(t, account, "");
  await until("the deed is handed over", () => flow.isSettled(world, { admin } as Parameters<typeof flow.begin>[0]));
  next.process.kill("SIGTERM");
  equal((await next.ended).code, 0);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Undefined when nobody answers. */
async function readiness(url: string): Promise<number | undefined> {
  return await fetch(`${url}/readyz`).then(
    ({ status }) => status,
    () => undefined,
  );
}

async function holder(): Promise<string | undefined> {
  return (await admin.get(leases, lease)).spec?.holderIdentity;
}

const order = [
  "stopping",
  "stop the watches: done",
  "drain the queue: done",
  "tell the last events: done",
  "release the lease: done",
  "close the client: done",
  "close the health endpoint: done",
  "stopped",
];

test("asked to stop at work, it is not ready, hears no more, ends its step, gives the Lease back, and goes", async (t) => {
  const { proxy, running, world, url } = await atWork(t, { kind: "slow", milliseconds: 3000 });
  running.process.kill("SIGTERM");
  await until("it is not ready", async () => (await readiness(url)) === 503);
  await until("the watches are stopped", () => proxy.watching() === 0);
  // The write is still under way: whoever took over now would meet it.
  equal(proxy.log().find(({ n }) => n === 3)?.code, undefined);
  deepEqual([await holder(), await readiness(url)], ["only", 503]);
  const { code, stderr } = await running.ended;
  equal(code, 0, stderr);
  deepEqual([await holder(), await readiness(url)], ["", undefined]);
  const writes = proxy.log().filter(({ upkeep }) => !upkeep);
  deepEqual([writes.length, writes.at(-1)?.code], [3, 200], "the step that was begun, and no other");
  const said = stderr
    .split("\n")
    .map((line) => (line.startsWith("{") ? (JSON.parse(line) as { msg: string }).msg : ""));
  deepEqual(
    said.filter((message) => order.includes(message)),
    order,
  );
  await finish(t, world);
});

test("asked a second time, it goes at once, whatever is under way, and its Lease runs out by itself", async (t) => {
  const { proxy, running, world, url } = await atWork(t, { kind: "timeout" });
  running.process.kill("SIGTERM");
  await until("it is not ready", async () => (await readiness(url)) === 503);
  equal(running.process.exitCode, null, "it waits for its write");
  // What comes within a second is the same wish told twice, and a busy machine is late: it is asked until it hears another one.
  const asking = setInterval(() => running.process.kill("SIGTERM"), 500);
  const { code } = await running.ended;
  clearInterval(asking);
  ok(code !== 0 && code !== null);
  equal(await holder(), "only");
  equal(proxy.log().filter(({ upkeep }) => !upkeep).length, 3);
  await finish(t, world);
});
