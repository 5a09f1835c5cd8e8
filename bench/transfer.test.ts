import { deepEqual, doesNotMatch, match } from "node:assert/strict";
import { test } from "node:test";
import { quantile } from "./goals.ts";
import { giveResults, resultsOf } from "./transfer/figures.ts";
import { sectionOf } from "./transfer/section.ts";
import { fullWork } from "./transfer/work.ts";

test("a quantile is a value that was measured", () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  deepEqual([quantile(values, 0.5), quantile(values, 0.99), quantile([7], 0.99)], [50, 99, 7]);
});

test("a goal is met or short by our own value", () => {
  const measured = { idle: [100, 3000], busy: [10], perSecond: 9.5, writes: 8, kicksIdle: 0, kicksBusy: 1 };
  const results = resultsOf(measured, measured, { megabytes: 121, restartSeconds: 1 });
  const short = results.filter(({ met }) => !met).map(({ name }) => name);
  deepEqual(short, [
    "transfer: idle, p99 ms",
    "transfer: idle, longest ms",
    "transfer: memory with 10,000 claims and volumes, MB",
  ]);
});

test("what another tenant pays for a burst is explained where the goal is missed, and only there", () => {
  const gives = (meanwhile: number) => giveResults({ writes: 6, perSecond: 3, alone: [100], meanwhile: [meanwhile] });
  match(sectionOf(gives(2000), fullWork), /beside many gives takes 20 times its idle time/);
  doesNotMatch(sectionOf(gives(150), fullWork), /Short of the goal/);
});
