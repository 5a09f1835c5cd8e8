import { deepEqual, match } from "node:assert/strict";
import { test } from "node:test";
import { type Measured, peerName, resultsOf } from "./buckets/figures.ts";
import { sectionOf } from "./buckets/section.ts";
import { fullWork } from "./buckets/work.ts";

const measured: Measured = {
  idle: [100],
  busy: [1000],
  leaving: [500],
  perSecond: 10,
  leavesPerSecond: 20,
  writes: 12.5,
  reads: 3,
  busyWrites: 12,
  leaveWrites: 9,
  megabytes: { controller: 80, sidecar: 80, driver: 80 },
};

test("a Bucket that takes more writes than it may is short of the goal", () => {
  const short = resultsOf(measured, fullWork).filter(({ met }) => !met);
  deepEqual(
    short.map(({ name, ours, goal }) => [name, ours, goal]),
    [["buckets: writes for each Bucket", 12.5, "≤ 12"]],
  );
});

test("what was not run says so wherever it stands", () => {
  match(peerName, /counted/);
  const section = sectionOf(resultsOf(measured, fullWork), fullWork);
  match(section, /nothing of it was run/);
  match(section, /\| writes for each Bucket \| \*\*12\.5\*\* \| 10 \| ≤ 12: \*\*short\*\* \|/);
});
