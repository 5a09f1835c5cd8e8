import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { after, describe, type TestContext, test } from "node:test";
import { leases } from "../../src/api/gen/coordination.ts";
import { adminClient, keyOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { type Running, start, until } from "../fixture/portway.ts";
import { type Monitor, monitor } from "./monitor.ts";
import { brokenIn } from "./order.ts";
import { type FaultProxy, faultProxy } from "./proxy/fault-proxy.ts";
import { placeOf } from "./sweep/case.ts";
import type { Flow, Stage } from "./sweep/flow.ts";
import { outsideItsTerm } from "./terms.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

/** Short, and yet long enough for a busy machine to renew in time. */
const short = { lease: "8s", renew: "6s" };
/** Longer than any test waits: whoever takes over did not wait for the term. */
const endless = { lease: "600s", renew: "400s" };

interface Installed {
  readonly account: string;
  readonly flags: readonly string[];
}

interface Replica {
  readonly identity: string;
  readonly proxy: FaultProxy;
  readonly running: Running;
}

/** What makes a process ready for the flow is no part of it. */
const past = new Set<string>();
const writesOf = ({ proxy }: Replica) =>
  proxy.log().filter((write) => !write.upkeep && !past.has(placeOf(write))).length;

/** Two replicas, and each way in which the Lease goes from the one to the other in the middle of a flow. */
export function survivesAChange<World>(flow: Flow<World>, leaseOn: LeaseOn): void {
  void describe(flow.name, () => changes(flow, leaseOn));
}

type LeaseOn = (place: Pick<Stage, "cluster">) => { readonly namespace: string; readonly name: string };

function changes<World>(flow: Flow<World>, leaseOn: LeaseOn): void {
  let installed: Promise<Installed> | undefined;
  const undo = new AsyncDisposableStack();
  after(() => undo.disposeAsync());
  // When every replica is dead: one that still lives takes it again, for a term that outlasts the tests that follow.
  after(dropLease);

  async function install(): Promise<Installed> {
    const flags = (await flow.beside?.({ admin, cluster }, undo)) ?? [];
    return { account: await flow.install({ admin, cluster }), flags };
  }

  /** Whoever was killed holds it for the rest of its term, and the tests that follow would wait for that. */
  async function dropLease(): Promise<void> {
    const left = await admin.find(leases, leaseOn({ cluster }));
    if (left !== undefined) await admin.delete(leases, keyOf(left));
  }

  async function replica(t: TestContext, identity: string, term: typeof short): Promise<Replica> {
    const proxy = await faultProxy({ kubeconfig: cluster.kubeconfigOf("admin") });
    t.after(() => proxy.close());
    const { account, flags } = await (installed ??= install());
    const { file, args } = flow.program(await proxy.kubeconfigFor(account));
    const own = [
      `--leader-election-identity=${identity}`,
      `--leader-election-lease-duration=${term.lease}`,
      `--leader-election-renew-deadline=${term.renew}`,
      "--leader-election-retry-period=500ms",
    ];
    return { identity, proxy, running: start(t, [...args, ...flags, ...own], { program: file }) };
  }

  /** Two replicas, of which the first is at work and the second waits. */
  async function pair(t: TestContext, term: typeof short): Promise<readonly [Replica, Replica, Stage]> {
    await (installed ??= install());
    await dropLease();
    const watcher = await monitor({ client: admin, watched: flow.watched, rules: flow.stateRules });
    t.after(() => watcher.close());
    const first = await replica(t, "first", term);
    await until("the first is at work", () => first.running.said().includes("at work"));
    const second = await replica(t, "second", term);
    await until("the second waits", () => second.running.said().includes("waiting: first holds the lease"));
    const before = watcher.violations().length;
    // What was there before is no version of this flow: it was not seen how it came to be.
    const seen = { ...watcher, violations: () => watcher.violations().slice(before) };
    return [first, second, stageOf([first, second], seen)];
  }

  async function begin(t: TestContext, stage: Stage): Promise<World> {
    const world = await flow.begin(stage);
    t.after(() => flow.clear(world, stage));
    return world;
  }

  async function untilSettled(world: World, stage: Stage): Promise<void> {
    await until(`${flow.name} settles`, () => flow.isSettled(world, stage));
  }

  const holder = async () => (await admin.get(leases, leaseOn({ cluster }))).spec?.holderIdentity;

  /** Every write of each lies in its own term, all rules hold over what both have sent, and the end is the right one. */
  async function allIsWell(replicas: readonly Replica[], stage: Stage, world: World): Promise<void> {
    deepEqual(outsideItsTerm(replicas.map(({ identity, proxy }) => ({ identity, log: proxy.log() }))), []);
    const sent = replicas.flatMap(({ proxy }) => proxy.log().filter(({ upkeep }) => !upkeep));
    const inOrder = sent.sort((a, b) => a.at - b.at).map((write, index) => ({ ...write, n: index + 1 }));
    await stage.monitor.caughtUp();
    deepEqual(
      [...stage.monitor.violations(), ...brokenIn(inOrder, flow.orderRules)].map(({ why }) => why),
      [],
    );
    await flow.picture(world, stage);
  }

  test(`${flow.name}: a leader that is killed in the middle is replaced, and the other one finishes what it began`, async (t) => {
    const [first, second, stage] = await pair(t, short);
    const kill = async () => {
      first.running.process.kill("SIGKILL");
      await first.running.ended;
    };
    const armed = first.proxy.arm({ site: { n: 3 }, fault: { kind: "kill-after" }, kill });
    const world = await begin(t, stage);
    await armed.whenFired;
    await untilSettled(world, stage);
    deepEqual([await holder(), writesOf(first)], ["second", 3]);
    ok(writesOf(second) > 0);
    await allIsWell([first, second], stage, world);
  });

  test(`${flow.name}: a leader that is stopped beyond its term and woken sends nothing more, and ends`, async (t) => {
    const [first, second, stage] = await pair(t, short);
    const armed = first.proxy.arm({ site: { n: 3 }, fault: { kind: "slow", milliseconds: 0 } });
    void armed.whenFired.then(() => first.running.process.kill("SIGSTOP"));
    const world = await begin(t, stage);
    await untilSettled(world, stage);
    ok(writesOf(first) < flow.budget, "it was stopped in the middle");
    const before = first.proxy.log().length;
    first.running.process.kill("SIGCONT");
    const { code } = await first.running.ended;
    notEqual(code, 0);
    notEqual(code, null);
    deepEqual(first.proxy.log().slice(before), []);
    await allIsWell([first, second], stage, world);
  });

  test(`${flow.name}: what a dead leader has sent arrives when the other one is at work, and does no harm`, async (t) => {
    const [first, second, stage] = await pair(t, short);
    const armed = first.proxy.arm({
      site: { n: 3 },
      fault: { kind: "late-after-kill" },
      kill: async () => {
        first.running.process.kill("SIGKILL");
        await first.running.ended;
      },
      until: () => until("the other one has written", () => writesOf(second) > 0),
    });
    const world = await begin(t, stage);
    await armed.whenFired;
    await untilSettled(world, stage);
    equal(await holder(), "second");
    await allIsWell([first, second], stage, world);
  });

  test(`${flow.name}: a leader that is asked to stop gives the Lease back, and the other one goes on at once`, async (t) => {
    const [first, second, stage] = await pair(t, endless);
    await untilSettled(await begin(t, stage), stage);
    equal(writesOf(second), 0);
    first.running.process.kill("SIGTERM");
    equal((await first.running.ended).code, 0);
    await until("the second is at work", () => second.running.said().includes("at work"));
    const world = await begin(t, stage);
    await untilSettled(world, stage);
    equal(await holder(), "second");
    await allIsWell([first, second], stage, world);
  });
}

/** A flow of two processes has no subject, and a proxy for each of them. */
function stageOf(replicas: readonly Replica[], watcher: Monitor): Stage {
  const log = () => replicas.flatMap(({ proxy }) => proxy.log()).sort((one, other) => one.at - other.at);
  const proxy: Pick<FaultProxy, "log"> = { log };
  const stage: Omit<Stage, "subject"> = { admin, cluster, monitor: watcher, past, proxy: proxy as FaultProxy };
  return stage as Stage;
}
