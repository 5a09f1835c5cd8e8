import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { cases } from "./cases.ts";
import { type Difference, differencesOf } from "./compare.ts";
import { covers, type Expected, judged } from "./expected.ts";
import { filled, replacing } from "./words.ts";

const about = { case: "a claim", on: "scripted" };

test("what is the same on both sides is no difference, whatever the order of its members", () => {
  deepEqual(differencesOf(about, { a: [1, { b: null }], c: {} }, { c: {}, a: [1, { b: null }] }), []);
});

const planted: readonly (readonly [says: string, go: object, ours: object, found: readonly unknown[]])[] = [
  ["another value", { a: { b: "x" } }, { a: { b: "y" } }, ["a > b", "x", "y"]],
  ["a value of another type", { a: 1 }, { a: true }, ["a", "1", "true"]],
  ["a field that only upstream's has", { a: 1, b: 2 }, { a: 1 }, ["b", "2", undefined]],
  ["a field that only ours has", { a: 1 }, { a: 1, b: 2 }, ["b", undefined, "2"]],
  ["an empty list in the place of none", { b: 1 }, { b: 1, a: [] }, ["a", undefined, "[]"]],
  ["a list that is longer", { a: ["x"] }, { a: ["x", "y"] }, ["a > 1", undefined, "y"]],
  ["another order", { a: ["x", "y", "y"] }, { a: ["y", "x", "y"] }, ["a > 0", "x", "y"]],
];

for (const [says, go, ours, expected] of planted)
  test(`is found: ${says}`, () => {
    const [first] = differencesOf(about, go as never, ours as never);
    deepEqual([first?.where, first?.go, first?.ours], expected);
  });

const difference: Difference = { ...about, where: "events > claim data > message > 0", go: "no (1)", ours: "no" };
const listed: Expected = {
  cases: ["a *"],
  where: "events > * > message > *",
  go: "no (*)",
  ours: "no",
  because: "shorter",
};

test("a listed difference is covered by cases, field and both values, and by nothing less", () => {
  ok(covers(listed, difference));
  const others: readonly Partial<Expected>[] = [
    { cases: ["another *"] },
    { on: ["zones"] },
    { where: "events > * > from > *" },
    { go: "no" },
    { ours: "*?" },
  ];
  for (const other of others) ok(!covers({ ...listed, ...other }, difference), JSON.stringify(other));
});

test("nothing on one side is covered only by saying so", () => {
  const { ours: _, ...onlyGo } = listed;
  ok(!covers(onlyGo, difference));
  ok(covers(onlyGo, { ...difference, ours: undefined }));
  ok(!covers(listed, { ...difference, ours: undefined }));
});

test("an unlisted difference is told, and so is a listed one that does not occur", () => {
  deepEqual(judged([difference], [listed]), { unlisted: [], missing: [] });
  deepEqual(judged([difference], []), { unlisted: [difference], missing: [] });
  deepEqual(judged([], [listed]), { unlisted: [], missing: [listed] });
});

test("words of templates are filled in everywhere, and the longer name wins", () => {
  const words = { $case: "ns-1", $driver: "d.example" };
  deepEqual(filled({ "$case/x": ["$driver", { a: "${pv.name} $case-b" }] }, words), {
    "ns-1/x": ["d.example", { a: "${pv.name} ns-1-b" }],
  });
  equal(
    replacing([
      ["ns", "N"],
      ["ns-1", "M"],
    ])("ns-1 ns-2"),
    "M N-2",
  );
});

test("every case has a sentence of its own, a driver, and something that is waited for", () => {
  equal(new Set(cases.map(({ says }) => says)).size, cases.length);
  for (const { says, on, steps } of cases) {
    ok(on.length > 0, says);
    ok(
      steps.some((step) => ["bound", "told", "bystander", "volume-held"].includes(step.do)),
      says,
    );
  }
});
