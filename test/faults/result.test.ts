import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { resultOf, tableOf } from "./result.ts";

const swept = [
  { flow: "give", sites: 7, cases: 21, violations: ["G1 a volume was lost"], seconds: 12.34 },
  { flow: "take back", sites: 12, cases: 108, violations: [], seconds: 100 },
];

test("the result adds up", () => {
  const { flows, cases, violations } = resultOf(swept);
  deepEqual(flows[0], { flow: "give", sites: 7, cases: 21, violations: 1, seconds: 12.3 });
  deepEqual([cases, violations], [129, 1]);
});

test("the table is one row a flow and one for all", () => {
  equal(
    tableOf(resultOf(swept)),
    [
      "flow       sites  cases  violations  seconds",
      "give           7     21           1     12.3",
      "take back     12    108           0      100",
      "all                 129           1         ",
    ].join("\n"),
  );
});
