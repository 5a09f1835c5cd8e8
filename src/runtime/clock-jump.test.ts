import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { rememberedLog } from "../../test/fixture/remembered-log.ts";
import { noticingJumps } from "./clock-jump.ts";

const begin = Date.UTC(2026, 0, 1);

function jumping() {
  const { log, lines } = rememberedLog();
  const time = { now: 0, offset: 0 };
  const bare = { now: () => time.now, wall: () => new Date(begin + time.now + time.offset) };
  const seconds = () => lines.map((line) => line["seconds"]);
  return { clock: noticingJumps(bare, log), time, seconds };
}

test("a date that jumps is named once for each jump, and is told as it is", () => {
  const { clock, time, seconds } = jumping();
  for (const offset of [0, 86_400_000, 86_400_000, -3_600_000]) {
    time.offset = offset;
    time.now += 1000;
    equal(clock.wall().getTime(), begin + time.now + offset);
    clock.wall();
  }
  deepEqual(seconds(), [86_400, -90_000]);
});

test("time that passes, even an hour without a look, is no jump; nor is a date that is set right a little", () => {
  const { clock, time, seconds } = jumping();
  time.now += 3_600_000;
  clock.wall();
  time.offset = 1500;
  clock.wall();
  deepEqual(seconds(), []);
});
