import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { leases } from "../../src/api/gen/coordination.ts";
import { adminClient, keyOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { type Running, start, until } from "../fixture/portway.ts";
import { handOverADeed } from "../sample/flow.ts";
import { givenBack, handOver } from "../transfer/flows/flows.ts";
import { type Monitor, monitor } from "./monitor.ts";
import { brokenIn } from "./order.ts";
import { type FaultProxy, faultProxy } from "./proxy/fault-proxy.ts";
import type { Flow, Stage } from "./sweep/flow.ts";
import { outsideItsTerm } from "./terms.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

/** Short, and yet long enough for a busy machine to renew in time. */
const short = { lease: "8s", renew: "6s" };
/** Longer than any test waits: whoever takes over did not wait for the term. */
const endless = { lease: "600s", renew: "400s" };

interface Replica {
  readonly identity: string;
  readonly proxy: FaultProxy;
  readonly running: Running;
}

const writesOf = ({ proxy }: Replica) => proxy.log().filter(({ upkeep }) => !upkeep).length;

survivesAChange(handOverADeed, { namespace: "portway-sample", name: "portway-sample" });
survivesAChange(handOver, { namespace: "portway-system", name: "portway-transfer" });
survivesAChange(givenBack, { namespace: "portway-system", name: "portway-transfer" });

/** Two replicas, and each way in which the Lease goes from the one to the other in the middle of a flow. */
function survivesAChange<World>(flow: Flow<World>, lease: { readonly namespace: string; readonly name: string }): void {
  let installed: Promise<string> | undefined;
  // A flow of two processes has no stage: what it begins with is the cluster alone.
  const stage = { admin, cluster } as Pick<Stage, "admin" | "cluster"> as Stage;

  /** Whoever was killed holds it for the rest of its term, and the tests that follow would wait for that. */
  async function dropLease(): Promise<void> {
    const left = await admin.find(leases, lease);
    if (left !== undefined) await admin.delete(leases, keyOf(left));
  }

  async function replica(t: TestContext, identity: string, term: typeof short): Promise<Replica> {
    const proxy = await faultProxy({ kubeconfig: cluster.kubeconfigOf("admin") });
    t.after(() => proxy.close());
    const account = await (installed ??= flow.install({ cluster, admin }));
    const { file, args } = flow.program(await proxy.kubeconfigFor(account));
    const own = [
      `--leader-election-identity=${identity}`,
      `--leader-election-lease-duration=${term.lease}`,
      `--leader-election-renew-deadline=${term.renew}`,
      "--leader-election-retry-period=500ms",
    ];
    return { identity, proxy, running: start(t, [...args, ...own], { program: file }) };
  }

  /** Two replicas, of which the first is at work and the second waits. */
  async function pair(t: TestContext, term: typeof short): Promise<readonly [Replica, Replica, Monitor]> {
    await dropLease();
    t.after(dropLease);
    const watcher = await monitor({ client: admin, watched: flow.watched, rules: flow.stateRules });
    t.after(() => watcher.close());
    const first = await replica(t, "first", term);
    await until("the first is at work", () => first.running.said().includes("at work"));
    const second = await replica(t, "second", term);
    await until("the second waits", () => second.running.said().includes("waiting: first holds the lease"));
    return [first, second, watcher];
  }

  async function begin(t: TestContext): Promise<World> {
    const world = await flow.begin(stage);
    t.after(() => flow.clear(world, stage));
    return world;
  }

  async function untilSettled(world: World): Promise<void> {
    await until(`${flow.name} settles`, () => flow.isSettled(world, stage));
  }

  const holder = async () => (await admin.get(leases, lease)).spec?.holderIdentity;

  /** Every write of each lies in its own term, all rules hold over what both have sent, and the end is the right one. */
  async function allIsWell(replicas: readonly Replica[], watcher: Monitor, world: World): Promise<void> {
    deepEqual(outsideItsTerm(replicas.map(({ identity, proxy }) => ({ identity, log: proxy.log() }))), []);
    const sent = replicas.flatMap(({ proxy }) => proxy.log().filter(({ upkeep }) => !upkeep));
    const inOrder = sent.sort((a, b) => a.at - b.at).map((write, index) => ({ ...write, n: index + 1 }));
    await watcher.caughtUp();
    deepEqual(
      [...watcher.violations(), ...brokenIn(inOrder, flow.orderRules)].map(({ why }) => why),
      [],
    );
    await flow.picture(world, stage);
  }

  test(`${flow.name}: a leader that is killed in the middle is replaced, and the other one finishes what it began`, async (t) => {
    const [first, second, watcher] = await pair(t, short);
    const kill = async () => {
      first.running.process.kill("SIGKILL");
      await first.running.ended;
    };
    const armed = first.proxy.arm({ site: { n: 3 }, fault: { kind: "kill-after" }, kill });
    const world = await begin(t);
    await armed.whenFired;
    await untilSettled(world);
    deepEqual([await holder(), writesOf(first)], ["second", 3]);
    ok(writesOf(second) > 0);
    await allIsWell([first, second], watcher, world);
  });

  test(`${flow.name}: a leader that is stopped beyond its term and woken sends nothing more, and ends`, async (t) => {
    const [first, second, watcher] = await pair(t, short);
    const armed = first.proxy.arm({ site: { n: 3 }, fault: { kind: "slow", milliseconds: 0 } });
    void armed.whenFired.then(() => first.running.process.kill("SIGSTOP"));
    const world = await begin(t);
    await untilSettled(world);
    ok(writesOf(first) < flow.budget, "it was stopped in the middle");
    const before = first.proxy.log().length;
    first.running.process.kill("SIGCONT");
    const { code } = await first.running.ended;
    notEqual(code, 0);
    notEqual(code, null);
    deepEqual(first.proxy.log().slice(before), []);
    await allIsWell([first, second], watcher, world);
  });

  test(`${flow.name}: what a dead leader has sent arrives when the other one is at work, and does no harm`, async (t) => {
    const [first, second, watcher] = await pair(t, short);
    const armed = first.proxy.arm({
      site: { n: 3 },
      fault: { kind: "late-after-kill" },
      kill: async () => {
        first.running.process.kill("SIGKILL");
        await first.running.ended;
      },
      until: () => until("the other one has written", () => writesOf(second) > 0),
    });
    const world = await begin(t);
    await armed.whenFired;
    await untilSettled(world);
    equal(await holder(), "second");
    await allIsWell([first, second], watcher, world);
  });

  test(`${flow.name}: a leader that is asked to stop gives the Lease back, and the other one goes on at once`, async (t) => {
    const [first, second, watcher] = await pair(t, endless);
    await untilSettled(await begin(t));
    equal(writesOf(second), 0);
    first.running.process.kill("SIGTERM");
    equal((await first.running.ended).code, 0);
    await until("the second is at work", () => second.running.said().includes("at work"));
    const world = await begin(t);
    await untilSettled(world);
    equal(await holder(), "second");
    await allIsWell([first, second], watcher, world);
  });
}
