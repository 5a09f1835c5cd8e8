import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import type { Hand } from "../../src/runtime/hand.ts";
import type { Table } from "../../src/runtime/table.ts";
import { acts, type FlowOptions, flowOf, type Planted } from "../sample/flow-model.ts";
import { rules, type Step } from "../sample/rules.ts";
import type { Seen } from "../sample/seen.ts";
import { act } from "../sample/steps.ts";
import { hearsInTime } from "./ears.ts";
import { type Exploration, explore, inWords } from "./explore.ts";

const { deleteClaim, newClaim, deleteDeed, newDeed, editDeed } = acts;

/** How many events a watch may be late. */
async function explored(options: FlowOptions, lateness = 1) {
  const flow = await flowOf(options);
  const found = await explore({ ...flow, tidied: hearsInTime(lateness), depth: 60, mostStates: 50_000 });
  return { ...found, rows: flow.controllers.rows };
}

function isFine(found: Exploration, leastDepth: number): void {
  ok(found.violation === undefined, found.violation === undefined ? "" : inWords(found.violation));
  ok(found.isComplete, "there are worlds that nobody looked at");
  ok(found.depth >= leastDepth, `${found.depth} moves deep`);
}

test("whatever owners, the binder and late events do, no deed is lost and no hold is left", async (t) => {
  const owners = [
    { acts: [deleteClaim, newClaim, editDeed], lateness: 2, leastDepth: 12 },
    { acts: [deleteClaim, newClaim, deleteDeed], lateness: 1, leastDepth: 10 },
    { acts: [deleteDeed, newDeed, editDeed], lateness: 1, leastDepth: 10 },
    { acts: [deleteClaim, newDeed, deleteDeed], lateness: 2, leastDepth: 10, deed: false },
  ];
  const taken = new Map(rules.map(([row]) => [row, 0]));
  for (const { lateness, leastDepth, ...options } of owners) {
    const found = await explored(options, lateness);
    isFine(found, leastDepth);
    for (const [row, times] of found.rows) taken.set(row, (taken.get(row) ?? 0) + times);
    t.diagnostic(`${found.states} states, ${found.edges} moves, ${found.rests} at rest, ${found.depth} deep`);
  }
  deepEqual(
    [...taken].filter(([, times]) => times === 0),
    [],
    "rows that were never taken",
  );
});

test("a request that arrives after it was given up does no harm to an edited deed", async () => {
  isFine(await explored({ acts: [editDeed], delays: 1 }, 2), 11);
});

test("two replicas that both believe they hold the lease lose no deed", async () => {
  isFine(await explored({ acts: [newDeed], deed: false, replicas: 2 }), 11);
});

/** The step believes what was seen instead of asking the server. */
function trusting(blind: Step, believed: (seen: Seen) => unknown): Planted {
  return {
    act: (step, seen, hand) => {
      const find = (() => Promise.resolve(believed(seen))) as Hand["live"]["find"];
      return act(step, seen, step === blind ? { ...hand, live: { ...hand.live, find } } : hand);
    },
  };
}

function rowOf(step: Step): Table<Seen, Step>[number] {
  const row = rules.find(([, , then]) => typeof then === "object" && then.do === "step" && then.step === step);
  if (row === undefined) throw new Error(`no row takes the step ${step}`);
  return row;
}

/** Rows are known by what they do, so that they may be said otherwise. */
function swapped(one: Step, other: Step): Table<Seen, Step> {
  const [a, b] = [rowOf(one), rowOf(other)];
  return rules.map((row) => (row === a ? b : row === b ? a : row));
}

const bugs: readonly (readonly [says: string, broken: string, options: FlowOptions])[] = [
  [
    "the deed is burnt before it is copied, by a step that does not look",
    "S1",
    { acts: [], table: swapped("copy-deed", "burn-deed"), act: burnsBlindly },
  ],
  [
    "the deed is to be burnt before it is copied, by a step that looks and waits for ever",
    "S4",
    { acts: [], table: swapped("copy-deed", "burn-deed") },
  ],
  [
    "the journal is closed by who has not heard of the deed",
    "S3",
    { acts: [newDeed], deed: false, replicas: 2, ...trusting("close-journal", ({ deed }) => deed) },
  ],
  ["the hold is let go first", "S2", { acts: [], table: letsGoFirst(), ...trusting("let-go", () => undefined) }],
  [
    "the hold is let go by who has not heard of the journal",
    "S2",
    { acts: [deleteClaim], ...trusting("let-go", ({ volume }) => volume) },
  ],
  [
    "the journal is written by who has not heard that the hold is gone",
    "S2",
    { acts: [deleteDeed, newDeed], ...trusting("write-journal", ({ claim }) => claim) },
  ],
  [
    "nobody reads an edited deed again",
    "S4",
    { acts: [editDeed], table: rules.filter(([says]) => says !== "the deed was edited since") },
  ],
  ["nobody takes the hold", "S5", { acts: [], table: rules.filter((row) => row !== rowOf("take-hold")) }],
];

function letsGoFirst(): Table<Seen, Step> {
  const [says, , then] = rowOf("let-go");
  const isHeld = ({ claim }: Seen) => (claim.metadata.finalizers ?? []).length > 1;
  return [[says, (seen) => isHeld(seen) && seen.journal !== undefined, then], ...rules];
}

async function burnsBlindly(step: Step, seen: Seen, hand: Hand): Promise<unknown> {
  const find = (() =>
    Promise.resolve({
      metadata: { annotations: new Proxy({}, { get: () => seen.deed?.data?.["text"] }) },
    })) as Hand["live"]["find"];
  return await act(step, seen, step === "burn-deed" ? { ...hand, live: { ...hand.live, find } } : hand);
}

for (const [says, broken, options] of bugs) {
  test(`it is found when ${says}`, async () => {
    const { violation } = await explored(options);
    ok(violation !== undefined, "nothing was found");
    equal(violation.id, broken, inWords(violation));
  });
}

test("it is found that a journal may arrive after its writer has given it up and let go", async () => {
  const { violation } = await explored({ acts: [deleteClaim], delays: 1 });
  equal(violation?.id, "S2");
  match(inWords(violation), /a request arrives late: patch persistentvolumes\/volume \(200\)/);
});
