import { deepEqual, equal, match, ok } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import type { Trouble } from "../api/trouble.ts";
import type { Log } from "./log.ts";
import { type Loop, loopOf } from "./loop.ts";
import type { Reconciler } from "./reconciler.ts";
import type { Report } from "./report.ts";
import { type Decision, refuse, rest, step, wait } from "./table.ts";

class Troubling extends Error {
  readonly trouble: Trouble;
  readonly retryAfterSeconds: number | undefined;

  constructor(trouble: Trouble, retryAfterSeconds?: number) {
    super(`it is ${trouble}`);
    this.trouble = trouble;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A counter that wants to be 3; each step adds one. */
interface Seen {
  readonly count: number;
  readonly reply: unknown;
}

interface World {
  readonly loop: Loop;
  readonly said: string[];
  readonly acts: string[];
  readonly reports: string[];
  readonly turns: string[];
  count: number;
  present: boolean;
  /** Thrown by the next acts, one each. */
  readonly troubles: (Error | undefined)[];
  decision: ((seen: Seen) => Decision<"add">) | undefined;
  hang: Promise<void> | undefined;
  passes(milliseconds: number): Promise<void>;
}

function worldOf(t: TestContext, more: Partial<Reconciler<Seen, "add">> = {}): World {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const said: string[] = [];
  const log: Log = {
    info: () => undefined,
    debug: () => undefined,
    warn: (message) => void said.push(message),
    error: (message, problem) => void said.push(`${message}: ${String(problem)}`),
    with: () => log,
  };
  const reports: string[] = [];
  const turns: string[] = [];
  const reconciler: Reconciler<Seen, "add"> = {
    name: "counter",
    observe: async (_, { reply }) => (world.present ? { count: world.count, reply } : undefined),
    decide: (seen) =>
      world.decision?.(seen) ??
      (seen.count < 3 ? { row: "too few", plan: step("add") } : { row: "enough", plan: rest }),
    async act(_, seen) {
      world.acts.push(`${seen.count}:${String(seen.reply)}`);
      await world.hang;
      const trouble = world.troubles.shift();
      if (trouble !== undefined) throw trouble;
      world.count++;
      return `reply ${world.count}`;
    },
    report(_, { row, plan }): readonly Report[] {
      reports.push(`${row}: ${plan.do}${plan.do === "refuse" ? ` ${plan.why}` : ""}`);
      return [];
    },
    ...more,
  };
  const world: World = {
    said,
    acts: [],
    reports,
    turns,
    troubles: [],
    count: 0,
    present: true,
    decision: undefined,
    hang: undefined,
    loop: loopOf({
      reconciler,
      workers: 2,
      hand: () => ({}) as never,
      clock: { now: () => now, wall: () => new Date(now) },
      log,
      longestTurnSeconds: 60,
      watcher: {
        queue: { added() {}, started() {}, done() {}, depth() {} },
        turned: (result) => void turns.push(result),
        retried() {},
        stepped() {},
      },
    }),
    async passes(milliseconds) {
      await tick();
      now += milliseconds;
      t.mock.timers.tick(milliseconds);
      for (let i = 0; i < 5; i++) await tick();
    },
  };
  return world;
}

test("steps are taken one after another, each after a new look, and the end is told once", async (t) => {
  const world = worldOf(t);
  world.loop.queue.add("a/x");
  await world.passes(0);
  deepEqual(world.acts, ["0:undefined", "1:reply 1", "2:reply 2"]);
  deepEqual([world.reports, world.turns], [["enough: rest"], ["success"]]);
});

for (const [trouble, silent] of [
  ["conflict", true],
  ["transient", false],
  ["in-doubt", false],
  ["bug", false],
] as const) {
  test(`after "${trouble}" the loop looks again, and says so ${silent ? "to nobody" : "once"}`, async (t) => {
    const world = worldOf(t);
    world.troubles.push(new Troubling(trouble), new Troubling(trouble), new Troubling(trouble));
    world.loop.queue.add("a/x");
    for (let i = 0; i < 10; i++) await world.passes(10_000);
    equal(world.count, 3);
    equal(world.said.length, silent ? 0 : 1, world.said.join("\n"));
  });
}

test("what is refused is told to people in the server's words, and tried again slowly", async (t) => {
  const world = worldOf(t);
  world.troubles.push(new Troubling("refused"));
  world.loop.queue.add("a/x");
  await world.passes(100);
  deepEqual(world.reports, ['the step "add" is refused: refuse RefusedByServer']);
  equal(world.count, 0);
  await world.passes(2000);
  equal(world.count, 3);
});

test("a feature may say in its own words what a refusal means", async (t) => {
  const world = worldOf(t, { refusal: () => refuse("TargetRefused") });
  world.troubles.push(new Troubling("refused"));
  world.loop.queue.add("a/x");
  await world.passes(100);
  deepEqual(world.reports, ['the step "add" is refused: refuse TargetRefused']);
});

test("a server that asks for time gets it", async (t) => {
  const world = worldOf(t);
  world.troubles.push(new Troubling("transient", 30));
  world.loop.queue.add("a/x");
  await world.passes(29_000);
  equal(world.acts.length, 1);
  await world.passes(1500);
  equal(world.count, 3);
});

test("each failure in a row makes the pause longer, and the first success ends that", async (t) => {
  const world = worldOf(t);
  world.troubles.push(...Array.from({ length: 6 }, () => new Troubling("transient")));
  world.loop.queue.add("a/x");
  // At the pace of the first pause, 100 ms at most, all six would be over by now.
  for (let i = 0; i < 12; i++) await world.passes(100);
  ok(world.acts.length < 6, world.acts.join());
  for (let i = 0; i < 80; i++) await world.passes(100);
  equal(world.count, 3);
  world.count = 2;
  world.troubles.push(new Troubling("transient"));
  world.loop.queue.add("a/x");
  await world.passes(0);
  await world.passes(100);
  equal(world.count, 3);
});

test("a look that throws is a bug: it is said with its reason, and the key is looked at again", async (t) => {
  const world = worldOf(t);
  world.decision = () => {
    throw new TypeError("undefined is not a claim");
  };
  world.loop.queue.add("a/x");
  await world.passes(0);
  await world.passes(2000);
  equal(world.said.length, 1);
  match(world.said[0] ?? "", /undefined is not a claim/);
  world.decision = undefined;
  await world.passes(60_000);
  equal(world.count, 3);
});

test("a step that hangs is named once, others go on, and it recovers", async (t) => {
  const world = worldOf(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  world.hang = promise;
  world.loop.queue.add("a/x");
  world.loop.queue.add("b/y");
  await world.passes(0);
  world.hang = undefined;
  await world.passes(61_000);
  world.loop.queue.add("c/z");
  await world.passes(0);
  ok(world.count >= 3, "another key was worked on");
  equal(world.said.filter((line) => line.includes("takes longer than 60 s")).length, 2);
  resolve();
  await world.passes(1000);
  equal(world.loop.queue.running, 0);
});

test("a wait is told, and looked at again when its time has come", async (t) => {
  const world = worldOf(t);
  world.decision = () => ({ row: "not yet", plan: wait("SourceBusy", { recheckSeconds: 30 }) });
  world.loop.queue.add("a/x");
  await world.passes(0);
  await world.passes(29_000);
  deepEqual(world.turns, ["requeue_after"]);
  await world.passes(1000);
  deepEqual(world.turns, ["requeue_after", "requeue_after"]);
});

test("a wait of our own making is told only if it lasts", async (t) => {
  const world = worldOf(t);
  world.decision = () => ({ row: "the binder has not answered", plan: wait("Working", { quietSeconds: 2 }) });
  world.loop.queue.add("a/x");
  await world.passes(1000);
  world.loop.queue.add("a/x");
  await world.passes(500);
  deepEqual(world.reports, []);
  await world.passes(600);
  deepEqual(world.reports, ["the binder has not answered: wait"]);
});

test("a quiet wait is looked at again as early as it asks for", async (t) => {
  const world = worldOf(t);
  const plan = wait("Working", { recheckSeconds: 0.02, quietSeconds: 2 });
  world.decision = () => ({ row: "the binder was asked a moment ago", plan });
  world.loop.queue.add("a/x");
  await world.passes(0);
  await world.passes(20);
  deepEqual([world.turns.length, world.reports], [2, []]);
});

test("a key with nothing under it is forgotten, with the reply it got", async (t) => {
  const world = worldOf(t);
  // A key that waits keeps its reply, so there is something to forget.
  world.decision = ({ count }) =>
    count === 1 ? { row: "half", plan: wait("Working") } : { row: "too few", plan: step("add") };
  world.loop.queue.add("a/x");
  await world.passes(0);
  world.present = false;
  world.loop.queue.add("a/x");
  await world.passes(0);
  Object.assign(world, { present: true, count: 0 });
  world.loop.queue.add("a/x");
  await world.passes(0);
  deepEqual(world.acts, ["0:undefined", "0:undefined"]);
});

test("a key that waits keeps the reply it got", async (t) => {
  const world = worldOf(t);
  world.decision = ({ count }) =>
    count === 1 ? { row: "half", plan: wait("Working") } : { row: "too few", plan: step("add") };
  world.loop.queue.add("a/x");
  await world.passes(0);
  world.count = 0;
  world.loop.queue.add("a/x");
  await world.passes(0);
  deepEqual(world.acts, ["0:undefined", "0:reply 1"]);
});

test("draining waits for the step that is under way, and takes no other", async (t) => {
  const world = worldOf(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  world.hang = promise;
  world.loop.queue.add("a/x");
  await world.passes(0);
  let drained = false;
  const end = world.loop.drained().then(() => (drained = true));
  await world.passes(0);
  equal(drained, false);
  resolve();
  await end;
  equal(world.count, 1);
});
