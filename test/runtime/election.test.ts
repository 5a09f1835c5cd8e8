import { deepEqual, equal, ok } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { type LeaseSpec, leases } from "../../src/api/gen/coordination.ts";
import { configMaps } from "../../src/api/gen/core.ts";
import { adminClient, newNamespace } from "../fixture/client.ts";
import { type LaneCluster, laneCluster } from "../fixture/lane.ts";
import { type Running, start, until } from "../fixture/portway.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

/** Short, and yet long enough for a busy machine to renew in time. */
const short = ["8", "6", "0.5"];
/** Longer than any test waits: whoever takes over did not wait for the term. */
const endless = ["600", "400", "0.5"];

/** A namespace where alice may do with Leases what upstream's shipped roles allow, and nothing more. */
async function arena(t: TestContext): Promise<Arena> {
  const namespace = await newNamespace(t, admin);
  await allow(cluster, namespace, "leases.coordination.k8s.io", "get,create,update");
  await allow(cluster, namespace, "configmaps", "patch");
  return {
    async contender(identity, durations = short) {
      const object = { metadata: { namespace, name: `of-${identity}` } };
      if ((await admin.find(configMaps, object.metadata)) === undefined) await admin.create(configMaps, object);
      const words = [cluster.kubeconfigOf("alice"), namespace, identity, ...durations];
      return start(t, words, { program: "test/runtime/contender.ts" });
    },
    lease: async () => (await admin.get(leases, { namespace, name: "contested" })).spec ?? {},
    versionOf: async (identity) =>
      (await admin.get(configMaps, { namespace, name: `of-${identity}` })).metadata.resourceVersion,
  };
}

interface Arena {
  readonly contender: (identity: string, durations?: readonly string[]) => Promise<Running>;
  readonly lease: () => Promise<LeaseSpec>;
  readonly versionOf: (identity: string) => Promise<string>;
}

async function allow(cluster: LaneCluster, namespace: string, resource: string, verbs: string): Promise<void> {
  const name = `alice-${resource.split(".")[0]}`;
  await cluster.kubectl(["-n", namespace, "create", "role", name, `--verb=${verbs}`, `--resource=${resource}`]);
  await cluster.kubectl(["-n", namespace, "create", "rolebinding", name, `--role=${name}`, "--user=alice"]);
}

function timesOf(process: Running, what: string): readonly bigint[] {
  return [...process.said().matchAll(new RegExp(`^${what} at (\\d+)$`, "gm"))].map(([, time = "0"]) => BigInt(time));
}

async function untilSaid(process: Running, what: string, times = 1): Promise<void> {
  await until(`${what}; said so far: ${process.said()}`, () => {
    if (process.process.exitCode !== null) throw new Error(`it ended before "${what}": ${process.said()}`);
    return timesOf(process, what).length >= times;
  });
}

/** Every write of the one lies before the other's turn. */
function neverBoth(first: Running, second: Running): void {
  const [turn] = timesOf(second, "acquired");
  ok(turn !== undefined);
  ok(timesOf(first, "wrote").length > 0);
  deepEqual(
    [...timesOf(first, "writes"), ...timesOf(first, "wrote")].filter((time) => time >= turn),
    [],
  );
}

test("released, the lease is taken over at once, and the two never write at the same time", async (t) => {
  const { contender, lease } = await arena(t);
  const first = await contender("first", endless);
  await untilSaid(first, "wrote", 2);
  const second = await contender("second", endless);
  await until("the second waits", () => second.said().includes("waiting: first holds the lease"));
  equal(timesOf(second, "acquired").length, 0);
  first.process.kill("SIGTERM");
  equal((await first.ended).code, 0);
  await untilSaid(second, "wrote");
  neverBoth(first, second);
  deepEqual([(await lease()).holderIdentity, (await lease()).leaseTransitions], ["second", 1]);
});

test("killed, it keeps its term: the next one waits until that is over", async (t) => {
  const { contender, lease } = await arena(t);
  const first = await contender("first");
  await untilSaid(first, "wrote", 2);
  const second = await contender("second");
  await until("the second waits", () => second.said().includes("waiting: first holds the lease"));
  first.process.kill("SIGKILL");
  await first.ended;
  const { renewTime = "" } = await lease();
  await untilSaid(second, "wrote");
  const { acquireTime = "", leaseTransitions } = await lease();
  ok(Date.parse(acquireTime) - Date.parse(renewTime) >= Number(short[0]) * 1000, `${renewTime} … ${acquireTime}`);
  equal(leaseTransitions, 1);
  neverBoth(first, second);
});

test("killed and started again under its own name, it goes on at once in the same term", async (t) => {
  const { contender, lease } = await arena(t);
  const first = await contender("first", endless);
  await untilSaid(first, "wrote");
  const second = await contender("second", endless);
  await until("the second waits", () => second.said().includes("waiting: first holds the lease"));
  first.process.kill("SIGKILL");
  await first.ended;
  const { acquireTime } = await lease();
  const again = await contender("first", endless);
  await untilSaid(again, "wrote");
  const now = await lease();
  deepEqual([now.holderIdentity, now.leaseTransitions, now.acquireTime], ["first", 0, acquireTime]);
  equal(timesOf(second, "acquired").length, 0);
});

test("stopped and woken after its term, it writes nothing more and ends", async (t) => {
  const { contender, lease, versionOf } = await arena(t);
  // It renews seldom and writes often, so that on waking the write would come before the loss is noticed.
  const seldom = ["8", "6", "2.5"];
  const first = await contender("first", seldom);
  const second = await contender("second", seldom);
  await until("one of them writes", () => first.said().includes("wrote") || second.said().includes("wrote"));
  const [holder, other, name] = first.said().includes("wrote") ? [first, second, "first"] : [second, first, "second"];
  const before = timesOf(holder, "wrote").length;
  // Between two writes, while it sleeps: what was decided before cannot be called back.
  await untilSaid(holder, "wrote", before + 1);
  holder.process.kill("SIGSTOP");
  await untilSaid(other, "wrote", 2);
  const [version, said] = [await versionOf(name), holder.said()];
  holder.process.kill("SIGCONT");
  await until("it ends", () => holder.process.exitCode !== null);
  equal((await holder.ended).code, 3);
  equal(await versionOf(name), version);
  equal(holder.said().slice(said.length).includes("writes"), false);
  neverBoth(holder, other);
  ok((await lease()).holderIdentity !== name);
});
