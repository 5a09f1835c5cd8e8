import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { array, asyncProperty, assert as check, constantFrom, record } from "fast-check";
import { backoffAfter } from "./backoff.ts";
import { type Queue, queueOf } from "./queue.ts";

/** A queue whose work is finished by the test. */
function heldQueue(workers: number) {
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  const queue: Queue = queueOf({
    workers,
    async work(key) {
      ok(!running.has(key), "a key is never in two workers");
      begun.push(key);
      const { promise, resolve } = Promise.withResolvers<void>();
      running.set(key, resolve);
      await promise;
    },
  });
  const finish = async (key: string) => {
    const done = running.get(key);
    running.delete(key);
    done?.();
    await tick();
  };
  return { queue, running, begun, finish };
}

test("a key that is named often is dealt with once", async () => {
  const { queue, begun, finish } = heldQueue(1);
  queue.add("a/busy");
  for (let i = 0; i < 10; i++) queue.add("a/x");
  await finish("a/busy");
  await finish("a/x");
  deepEqual(begun, ["a/busy", "a/x"]);
});

test("a key that is named while it is worked on is dealt with once more afterwards", async () => {
  const { queue, begun, running, finish } = heldQueue(4);
  queue.add("a/x");
  queue.add("a/x");
  queue.add("a/x");
  equal(running.size, 1);
  await finish("a/x");
  await finish("a/x");
  deepEqual(begun, ["a/x", "a/x"]);
});

test("one tenant's 5,000 keys cost another tenant's one key a single turn", async () => {
  const { queue, begun, finish } = heldQueue(1);
  for (let i = 0; i < 5000; i++) queue.add(`noisy/${i}`);
  queue.add("quiet/one");
  await finish("noisy/0");
  await finish(begun.at(-1) ?? "");
  ok(begun.slice(0, 3).includes("quiet/one"), begun.join());
});

test("a tenant whose work hangs cannot take every worker", async () => {
  const { queue, begun } = heldQueue(4);
  for (let i = 0; i < 5000; i++) queue.add(`noisy/${i}`);
  deepEqual(begun.length, 3, "the last worker is kept");
  queue.add("quiet/one");
  equal(begun.at(-1), "quiet/one");
});

test("work that takes too long lends its place, and its key stays taken", async () => {
  const { queue, begun, finish } = heldQueue(1);
  queue.add("a/hangs");
  queue.add("a/next");
  queue.lend("a/hangs");
  deepEqual(begun, ["a/hangs", "a/next"]);
  queue.add("a/hangs");
  await finish("a/next");
  deepEqual(begun, ["a/hangs", "a/next"]);
  await finish("a/hangs");
  deepEqual(begun, ["a/hangs", "a/next", "a/hangs"]);
});

test("of two delays the earlier counts, and naming the key at once counts more than both", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const begun: string[] = [];
  const queue = queueOf({ workers: 1, now: () => 0, work: async (key) => void begun.push(key) });
  queue.addAfter("a/x", 5000);
  queue.addAfter("a/x", 1000);
  queue.addAfter("a/x", 9000);
  queue.addAfter("a/y", 1000);
  queue.add("a/y");
  await tick();
  t.mock.timers.tick(999);
  deepEqual(begun, ["a/y"]);
  t.mock.timers.tick(1);
  await tick();
  t.mock.timers.tick(10_000);
  deepEqual(begun, ["a/y", "a/x"]);
});

test("draining finishes what has begun and begins nothing new", async () => {
  const { queue, begun, finish } = heldQueue(1);
  queue.add("a/x");
  queue.add("a/y");
  queue.addAfter("a/z", 1);
  let drained = false;
  const end = queue.drained().then(() => (drained = true));
  await tick();
  equal(drained, false);
  await finish("a/x");
  await end;
  queue.add("a/w");
  deepEqual(begun, ["a/x"]);
});

test("whatever is named is dealt with after it was named for the last time", async () => {
  const act = record({ what: constantFrom("add", "finish"), key: constantFrom("a/1", "a/2", "b/1", "c/1") });
  await check(
    asyncProperty(array(act, { maxLength: 60 }), async (acts) => {
      const { queue, running, begun, finish } = heldQueue(2);
      const owed = new Set<string>();
      for (const { what, key } of acts) {
        const before = begun.length;
        if (what === "add") {
          owed.add(key);
          queue.add(key);
        } else await finish(key);
        for (const one of begun.slice(before)) owed.delete(one);
      }
      while (running.size > 0) {
        const before = begun.length;
        for (const key of running.keys()) await finish(key);
        for (const one of begun.slice(before)) owed.delete(one);
      }
      deepEqual([...owed], []);
    }),
  );
});

test("the pause doubles up to its limit and is never the same for all", () => {
  const settings = { firstMilliseconds: 10, longestMilliseconds: 1000 };
  deepEqual(
    [1, 2, 3, 20, 5000].map((n) => backoffAfter(n, settings, () => 1)),
    [10, 20, 40, 1000, 1000],
  );
  deepEqual(
    backoffAfter(1, settings, () => 0),
    5,
  );
});
