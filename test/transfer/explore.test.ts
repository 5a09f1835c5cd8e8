import { match, ok } from "node:assert/strict";
import { test } from "node:test";
import { hearsInTime } from "../explore/ears.ts";
import { type Exploration, explore, inWords } from "../explore/explore.ts";
import { acts, flowOf, type Planted } from "./flow-model.ts";

type Name = keyof typeof acts;

interface Weather extends Planted {
  /** How many events any watch may be behind. */
  readonly lateness?: number;
  /** How many of our requests arrive after we have given them up. */
  readonly delays?: number;
}

async function explored(names: readonly Name[], { lateness = 0, ...planted }: Weather): Promise<Exploration> {
  const flow = await flowOf({ ...planted, acts: names.map((name) => acts[name]) });
  return await explore({ ...flow, tidied: hearsInTime(lateness), depth: 60, mostStates: 25_000 });
}

const said = ({ violation }: Exploration) => (violation === undefined ? "" : inWords(violation));
const doing = (names: readonly Name[]) =>
  names.length === 0 ? "nobody interferes" : `somebody ${names.map((name) => acts[name].says).join(" and ")}`;

function nothingIsLost(says: string, names: readonly Name[], weather: Weather): void {
  test(`with ${says}, lost replies and a reaper, no volume is lost when ${doing(names)}`, async (t) => {
    const found = await explored(names, weather);
    ok(found.violation === undefined, said(found));
    ok(found.isComplete, "there are worlds that nobody looked at");
    t.diagnostic(`${found.states} states, ${found.edges} moves, ${found.depth} deep`);
  });
}

for (const names of [[], ["revoke"], ["deleteTarget"]] as const) nothingIsLost("late events", names, { lateness: 1 });

nothingIsLost("nothing late", ["dropTaker", "dropGiver"], {});

const interferences: readonly (readonly Name[])[] = [
  [],
  ...(Object.keys(acts) as Name[])
    .filter((name) => !("after" in acts[name]) && name !== "dropPolicy")
    .map((name) => [name]),
  ["revoke", "deleteSource"],
  ["plantTarget", "freeName"],
  ["deleteSource", "newSource"],
];
for (const names of interferences) nothingIsLost("requests that arrive too late", names, { delays: 1 });

const byPolicy: readonly (readonly Name[])[] = [
  [],
  ["dropPolicy"],
  ["withdraw"],
  ["deleteTarget"],
  ["plantTarget"],
  ["plantTarget", "freeName"],
];
for (const names of byPolicy)
  nothingIsLost("a policy and requests that arrive too late", names, { delays: 1, standing: true });

const wouldBeNoticed: readonly (readonly [row: string, names: readonly Name[], weather: Weather, what: RegExp])[] = [
  ["the approval could be used again", [], {}, /^T6: .*\n.*could hand over the next claim/s],
  ["a use has handed nothing over", ["withdraw"], { standing: true }, /^T6: .*a use was not returned/s],
  ["the source may still be given up", ["revoke"], { delays: 1 }, /arrives late: delete.*nobody has the volume/s],
  [
    "a way back may still be on its way",
    ["plantTarget", "freeName"],
    { delays: 1 },
    /arrives late: patch persistentvolumes/s,
  ],
];

for (const [row, names, weather, what] of wouldBeNoticed) {
  test(`it would be noticed if there were no row "${row}"`, async () => {
    match(said(await explored(names, { ...weather, without: row })), what);
  });
}
