import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { setImmediate as nextRound } from "node:timers/promises";
import { rateLimit } from "./rate-limit.ts";

const day = 24 * 60 * 60 * 1000;

test("without a rate nobody waits", async () => {
  const turn = rateLimit(undefined);
  for (let n = 0; n < 1000; n++) await turn();
});

test("a burst passes at once, what follows at the rate, and all in the order of their calls", async () => {
  const turn = rateLimit({ perSecond: 100, burst: 10 });
  const start = performance.now();
  const passed: number[] = [];
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  const all = numbers.map(async (n) => {
    await turn();
    passed.push(n);
  });
  await nextRound();
  ok(passed.length >= 10, "the burst has passed");
  await Promise.all(all);
  deepEqual(passed, numbers);
  ok(performance.now() - start >= 190, "twenty had to wait for ten milliseconds each");
});

test("tokens come back with time, but never more than the burst", async () => {
  let clock = 0;
  const turn = rateLimit({ perSecond: 1, burst: 3 }, () => clock);
  for (const expected of [3, 2, 3]) {
    equal(await passing(turn, 5), expected);
    clock += expected === 3 ? 2000 : day;
  }
});

test("whoever gives up while waiting hears its own reason, and takes nothing from those behind", async () => {
  let clock = 0;
  const turn = rateLimit({ perSecond: 20, burst: 1 }, () => clock);
  await turn();
  const off = new AbortController();
  const reason = new Error("enough");
  const leaving = Array.from({ length: 1000 }, () => rejects(turn(off.signal), reason));
  const staying = turn();
  off.abort(reason);
  await Promise.all(leaving);
  equal(getEventListeners(off.signal, "abort").length, 0);
  clock = 50;
  await staying;
});

test("whoever has given up before does not get in line", async () => {
  const turn = rateLimit({ perSecond: 0.01, burst: 1 });
  const reason = new Error("enough");
  await rejects(turn(AbortSignal.abort(reason)), reason);
  await turn();
});

/** How many of so many callers pass now; the others give up. */
async function passing(turn: (signal?: AbortSignal) => Promise<void>, callers: number): Promise<number> {
  const off = new AbortController();
  const all = Array.from({ length: callers }, () => turn(off.signal));
  await nextRound();
  off.abort();
  const settled = await Promise.allSettled(all);
  return settled.filter(({ status }) => status === "fulfilled").length;
}
