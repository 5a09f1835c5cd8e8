import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { aVolume, noon, place, podsAre, watchesOf } from "../../../test/transfer/worlds.ts";
import { keyOfTransfer, observeUnderWay } from "../../transfer/seen.ts";
import { type Journal, journalOn, journalText } from "./journal.ts";

const folder = join(import.meta.dirname, "../../../test/transfer/journals");
const golden = async (name: string) => JSON.parse(await readFile(join(folder, `${name}.json`), "utf8")) as Journal;

/** What was ever stored in a cluster is read for ever, and written again as it was. */
const readable = [
  ["v1-locked", undefined],
  ["v1-locked-target-last", undefined],
  ["v1-handed-over", undefined],
  ["v1-complete", "complete"],
  ["v1-rolled-back", "rolled-back"],
  ["v1-orphaned", "orphaned"],
  ["v1-locked-by-policy", undefined],
  ["v1-complete-by-policy", "complete"],
  ["v1-rolled-back-by-policy", "rolled-back"],
] as const;

for (const [name, outcome] of readable) {
  test(`a journal that was stored is still understood: ${name}`, async () => {
    const stored = await golden(name);
    const reading = journalOn(aVolume({ journal: JSON.stringify(stored) }));
    ok(reading.is === "journal");
    equal(reading.journal.outcome, outcome);
    deepEqual(JSON.parse(journalText(reading.journal)), stored);
  });
}

const closed = [
  ["v2-unknown", /newer Portway \(version 2\)/],
  ["v1-another-volume", /another volume/],
] as const;

for (const [name, why] of closed) {
  test(`a journal that is not ours to act upon is left alone, and it is said why: ${name}`, async () => {
    const volume = aVolume({ journal: JSON.stringify(await golden(name)) });
    const reading = journalOn(volume);
    ok(reading.is === "closed book");
    match(reading.why, why);
    const key = keyOfTransfer(volume, await golden("v1-locked"));
    const look = { now: noon, reply: undefined };
    equal(await observeUnderWay(watchesOf({ volumes: [volume] }), podsAre([]), key, look), undefined);
  });
}

test("a journal with both consents, or with half of one, is not acted upon", async () => {
  const { approval } = await golden("v1-locked");
  const byPolicy = await golden("v1-locked-by-policy");
  const { at: _, ...half } = byPolicy.standing ?? { at: "" };
  for (const more of [{ approval }, { standing: half }, { standing: null }])
    equal(journalOn(aVolume({ journal: JSON.stringify({ ...byPolicy, ...more }) })).is, "closed book");
});

for (const name of ["v1-handed-over", "v1-locked-by-policy"])
  test(`a journal with a part missing is not acted upon, and breaks nothing: ${name}`, async () => {
    const whole = await golden(name);
    const parts = Object.keys(whole).filter((part) => !["boundByController", "startedAt"].includes(part));
    for (const part of parts) {
      const { [part as keyof Journal]: _, ...rest } = whole;
      const volume = aVolume({ journal: JSON.stringify(rest) });
      equal(journalOn(volume).is, "closed book", part);
      equal(watchesOf({ volumes: [volume] }).volumes.by("claim", `${place.from}/${place.source}`).length, 0);
    }
    for (const text of ["", "{", "null", "[]", "7", '{"v":1,"id":"x"}', '{"v":"1"}'])
      equal(journalOn(aVolume({ journal: text })).is, "closed book", text);
  });

test("a journal stays far below what an annotation may hold", async () => {
  for (const [name] of readable) ok(journalText(await golden(name)).length < 2048, name);
});
