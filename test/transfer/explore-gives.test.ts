import { match, ok } from "node:assert/strict";
import { test } from "node:test";
import { hearsInTime } from "../explore/ears.ts";
import { type Exploration, explore, inWords } from "../explore/explore.ts";
import { acts, giveFlowOf } from "./give-model.ts";

type Name = keyof typeof acts;

interface Weather {
  readonly lateness?: number;
  readonly delays?: number;
  readonly without?: string;
}

async function explored(names: readonly Name[], { lateness = 0, ...weather }: Weather): Promise<Exploration> {
  const flow = await giveFlowOf({ ...weather, acts: names.map((name) => acts[name]) });
  return await explore({ ...flow, tidied: hearsInTime(lateness), depth: 60, mostStates: 25_000 });
}

const said = ({ violation }: Exploration) => (violation === undefined ? "" : inWords(violation));

function nothingIsLost(says: string, names: readonly Name[], weather: Weather): void {
  const doing = names.map((name) => acts[name].says).join(", ");
  test(`a give with ${says}: nothing is lost when somebody ${doing}`, async (t) => {
    const found = await explored(names, weather);
    ok(found.violation === undefined, said(found));
    ok(found.isComplete, "there are worlds that nobody looked at");
    t.diagnostic(`${found.states} states, ${found.edges} moves, ${found.depth} deep`);
  });
}

const everyOrder: readonly (readonly Name[])[] = [
  ["deleteSource"],
  ["accept", "deleteSource"],
  ["accept", "withdraw"],
  ["withdraw", "deleteSource"],
  ["withdraw", "giveAgain", "deleteSource"],
  ["plantTarget", "deleteSource"],
  ["accept", "deleteTarget", "deleteSource"],
  ["deleteSource", "takeBack"],
  ["deleteSource", "newSource", "accept"],
  ["accept", "deleteSource", "takeBack"],
  ["accept", "deleteSource", "dropTaker"],
  ["accept", "dropGiver"],
];
for (const names of everyOrder) nothingIsLost("requests that arrive too late", names, { delays: 1 });
for (const names of [
  ["accept", "deleteSource"],
  ["accept", "withdraw", "deleteSource"],
] as const)
  nothingIsLost("late events", names, { lateness: 1 });

const wouldBeNoticed: readonly (readonly [row: string, names: readonly Name[], weather: Weather, what: RegExp])[] = [
  [
    "a way back may still be on its way",
    ["withdraw", "giveAgain", "deleteSource"],
    { delays: 1 },
    /gives it again[^]*the source is held/,
  ],
  ["nothing needs the hold any more", ["deleteSource"], {}, /the source is held/],
  [
    "the volume does not point at who accepts it",
    ["accept", "deleteSource"],
    {},
    /somebody has accepted it, and waits/,
  ],
];

for (const [row, names, weather, what] of wouldBeNoticed) {
  test(`it would be noticed if there were no row "${row}"`, async () => {
    match(said(await explored(names, { ...weather, without: row })), what);
  });
}
