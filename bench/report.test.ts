import { deepEqual, match, throws } from "node:assert/strict";
import { test } from "node:test";
import type { Sample } from "./measure.ts";
import { type Figure, type Goal, type Run, resultsOf, shortfallsOf, tableOf } from "./report.ts";

const nothing: Sample = {
  runtime: "",
  seconds: 0,
  cpuSeconds: 0,
  count: 0,
  wallSeconds: 0,
  restMegabytes: 0,
  peakMegabytes: 0,
  serverCpuSeconds: 0,
};

function took(contestant: string, ...seconds: readonly number[]): readonly Run[] {
  return seconds.map((s) => ({ contestant, mode: "sync", sample: { ...nothing, seconds: s } }));
}

function sync(goal?: Goal): readonly Figure[] {
  return [
    { name: "sync, s", mode: "sync", of: ({ seconds }) => seconds, goals: goal === undefined ? {} : { peer: goal } },
  ];
}

const runs = [...took("portway", 1, 9, 2), ...took("peer", 4, 3.9, 4.1)];

test("the median of the rounds counts", () => {
  deepEqual(resultsOf(sync(), runs), [
    { name: "sync, s (ours/peer)", ours: 2, peer: 4, peerName: "peer", ratio: 0.5, goal: "none", met: true },
  ]);
});

test("of an even number of rounds, the middle of the middle two", () => {
  const [result] = resultsOf(sync(), [...took("portway", 1, 2, 3, 100), ...took("peer", 5)]);
  deepEqual(result?.ours, 2.5);
});

const goals: readonly (readonly [says: string, goal: Goal, ratio: number, met: boolean])[] = [
  ["at most so many times the peer", { ratio: "ours/peer", limit: ["≤", 0.5] }, 0.5, true],
  ["more than at most", { ratio: "ours/peer", limit: ["≤", 0.4] }, 0.5, false],
  ["so many times quicker", { ratio: "peer/ours", limit: ["≥", 2] }, 2, true],
  ["not quick enough", { ratio: "peer/ours", limit: ["≥", 3] }, 2, false],
  ["our own value within its limit", { ratio: "ours/peer", limit: ["≤", 2], unit: "s" }, 0.5, true],
  ["our own value over its limit", { ratio: "ours/peer", limit: ["≤", 1.9], unit: "s" }, 0.5, false],
];

for (const [says, goal, ratio, met] of goals) {
  test(`a goal: ${says}`, () => {
    const [result] = resultsOf(sync(goal), runs);
    deepEqual([result?.ratio, result?.met], [ratio, met]);
    deepEqual(
      shortfallsOf(sync(goal), runs).length,
      met ? 0 : 1,
      "what is missed has a paragraph, what is met has none",
    );
  });
}

test("the table shows medians, the spread and how the goal stands", () => {
  const [, , row = ""] = tableOf(sync({ ratio: "peer/ours", limit: ["≥", 3] }), runs).split("\n");
  match(
    row,
    /^\| sync, s \| \*\*2\*\* \(1–9\) \| \*\*4\*\* \(3\.9–4\.1\) \| peer: peer\/ours ≥ 3: 2, \*\*short\*\* \|$/,
  );
});

test("the paragraph on a miss says why, with what was measured", () => {
  const whenShort: Goal["whenShort"] = (of) => `The server alone takes ${of("sync, s", "peer")} s.`;
  const goal: Goal = { ratio: "peer/ours", limit: ["≥", 3], whenShort };
  deepEqual(shortfallsOf(sync(goal), runs), ["**sync, s, beside peer: 2, wanted ≥ 3.** The server alone takes 4 s."]);
});

test("a reason that asks for a figure nobody took is a bug", () => {
  const whenShort: Goal["whenShort"] = (of) => `${of("sink, s", "peer")}`;
  throws(() => shortfallsOf(sync({ ratio: "peer/ours", limit: ["≥", 3], whenShort }), runs), /no figure "sink, s"/);
});
