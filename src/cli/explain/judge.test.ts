import { deepEqual, throws } from "node:assert/strict";
import { test } from "node:test";
import { rest, step, type Table, Unforeseen, wait } from "../../runtime/table.ts";
import { judge, judgeGates, veiled } from "./judge.ts";

interface Seen {
  readonly volume: boolean;
  readonly claim: boolean;
}

const table: Table<Seen, "make"> = [
  ["there is no claim", ({ claim }) => !claim, step("make")],
  ["there is no volume", ({ volume }) => !volume, wait("SourceNotBound")],
  ["all is there", () => true, rest],
];

test("what is seen is judged as the engine judges it", () => {
  deepEqual(judge(table, { claim: true, volume: false }), {
    rows: [
      { row: "there is no claim", answer: "no" },
      { row: "there is no volume", answer: "yes" },
    ],
    row: "there is no volume",
    plan: wait("SourceNotBound"),
  });
});

test("what is hidden is neither there nor missing, and no row below it is said to hold", () => {
  const seen = veiled({ claim: true, volume: false }, new Map([["volume", "persistentvolumes"]]));
  deepEqual(judge(table, seen), {
    rows: [
      { row: "there is no claim", answer: "no" },
      { row: "there is no volume", answer: "unknown", needs: "persistentvolumes" },
      { row: "all is there", answer: "yes" },
    ],
  });
});

test("a row above what is hidden holds all the same", () => {
  const seen = veiled({ claim: false, volume: false }, new Map([["volume", "persistentvolumes"]]));
  deepEqual(judge(table, seen).row, "there is no claim");
});

test("a bug in a rule is not taken for something hidden", () => {
  const broken: Table<Seen, "make"> = [["breaks", () => JSON.parse("{") as boolean, rest]];
  throws(() => judge(broken, { claim: true, volume: true }), SyntaxError);
  throws(() => judge(table.slice(0, 2), { claim: true, volume: true }), Unforeseen);
});

test("every closed gate is told, and each hidden thing once", () => {
  const gates = [
    (s: Seen) => (s.claim ? undefined : wait("SourceNotFound")),
    (s: Seen) => (s.volume ? undefined : wait("SourceNotBound")),
    (s: Seen) => (s.volume ? undefined : wait("VolumeLeaving")),
  ];
  deepEqual(judgeGates(gates, { claim: false, volume: false }).closed.length, 3);
  const seen = veiled({ claim: false, volume: false }, new Map([["volume", "persistentvolumes"]]));
  deepEqual(judgeGates(gates, seen), { closed: [wait("SourceNotFound")], unknown: ["persistentvolumes"] });
});
