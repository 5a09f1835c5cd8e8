import { equal } from "node:assert/strict";
import { test } from "node:test";
import { boolean, option, record } from "fast-check";
import type { Metadata } from "../../src/api/object.ts";
import { decide } from "../../src/runtime/table.ts";
import { tableTests } from "../fixture/table-kit.ts";
import { deedMark, holdFinalizer, type Journal } from "./journal.ts";
import { rules } from "./rules.ts";
import type { Seen } from "./seen.ts";

const journal: Journal = { v: 1, claimUid: "c", deedUid: "d", deedName: "deed", text: "mine" };
const meta = (more: Metadata) => ({ metadata: { name: "x", uid: "u", resourceVersion: "1", ...more } });

interface Facts {
  readonly held: boolean;
  readonly leaving: boolean;
  readonly bound: boolean;
  readonly deed: boolean;
  readonly edited: boolean;
  readonly copied: boolean;
  readonly journal: Journal | null;
}

function seenOf({ held, leaving, bound, deed, edited, copied, journal: found }: Facts): Seen {
  const leave = leaving ? { deletionTimestamp: "2026-11-17T00:00:00Z" } : {};
  const hasVolume = bound || found !== null;
  return {
    claim: meta({ finalizers: held ? [holdFinalizer] : [], ...leave }),
    volume: hasVolume ? meta({ annotations: copied ? { [deedMark]: "mine" } : {} }) : undefined,
    deed: deed ? { ...meta({}), data: { text: edited ? "edited" : "mine" } } : undefined,
    journal: found ?? undefined,
    now: new Date(0),
  };
}

const facts = record<Facts>({
  held: boolean(),
  leaving: boolean(),
  bound: boolean(),
  deed: boolean(),
  edited: boolean(),
  copied: boolean(),
  journal: option(
    boolean().map((done) => (done ? { ...journal, done } : journal)),
    { nil: null },
  ),
});

tableTests({ name: "the sample", table: rules, states: facts.map(seenOf), runs: 5000 });

const open: Facts = { held: true, leaving: false, bound: true, deed: true, edited: false, copied: false, journal };
const cases: readonly (readonly [says: string, facts: Facts, row: string])[] = [
  ["copies before it burns", open, "the deed is not on the volume yet"],
  ["writes down what the owner wrote last", { ...open, copied: true, edited: true }, "the deed was edited since"],
  ["burns only what is copied", { ...open, copied: true }, "the deed is still with the claim"],
  ["finishes although the claim is leaving", { ...open, leaving: true }, "the deed is not on the volume yet"],
  ["keeps its hold while the journal is open", { ...open, copied: true, deed: false }, "the journal is still open"],
  ["gives a withdrawn deed back", { ...open, journal: null, deed: false }, "a hold is left over"],
];

for (const [says, state, row] of cases) test(says, () => equal(decide(rules, seenOf(state)).row, row));
