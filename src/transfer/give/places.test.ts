import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { test } from "node:test";
import { given } from "../../../test/transfer/give-facts.ts";
import { aGiveJournal, offerOf } from "../../../test/transfer/gives.ts";
import { aVolume, watchesOf } from "../../../test/transfer/worlds.ts";
import { journalText } from "../../api/transfer/journal.ts";
import { Overtaken } from "../../runtime/must.ts";
import { placesIn } from "./places.ts";
import type { Offered } from "./seen.ts";

/** Locked by an earlier worker, and seen by all. */
const waiting = aVolume({ name: "disk-0", journal: journalText(aGiveJournal()) });

async function offersFrom(namespace: string, mostPending: number): Promise<readonly Offered[]> {
  const seen = await offerOf({ ...given, journal: "none" });
  ok(seen !== undefined);
  const source = { ...seen.source, metadata: { ...seen.source.metadata, namespace } };
  const volumes = Array.from({ length: 10 }, (_, at) => aVolume({ name: `disk-${at + 1}` }));
  return volumes.map((volume) => ({ ...seen, source, volume, mostPending }));
}

test("of ten workers that see the last two places free, two lock", async () => {
  const watches = watchesOf({ volumes: [waiting] });
  const places = placesIn(watches);
  const locked: string[] = [];
  const offers = await offersFrom("from", 3);
  const ends = await Promise.allSettled(
    offers.map((seen) =>
      places.whileLocking(seen, async () => {
        await Promise.resolve();
        locked.push(seen.volume?.metadata.name ?? "");
      }),
    ),
  );
  deepEqual(locked, ["disk-1", "disk-2"]);
  const overtaken = ends.filter((end) => end.status === "rejected" && end.reason instanceof Overtaken);
  equal(overtaken.length, 8);
});

test("nobody else's gives take a place", async () => {
  const places = placesIn(watchesOf({ volumes: [waiting] }));
  const [first] = await offersFrom("from", 2);
  const [second] = await offersFrom("elsewhere", 1);
  ok(first !== undefined && second !== undefined);
  equal(await places.whileLocking(first, () => places.whileLocking(second, async () => "both")), "both");
});

test("a lock that the watch shows before it is answered takes one place", async () => {
  const places = placesIn(watchesOf({ volumes: [waiting] }));
  const [, next] = await offersFrom("from", 2);
  ok(next !== undefined);
  const shown = { ...next, volume: waiting, mostPending: 3 };
  equal(await places.whileLocking(shown, () => places.whileLocking(next, async () => "both")), "both");
});

test("a lock that failed leaves its place", async () => {
  const places = placesIn(watchesOf({ volumes: [waiting] }));
  const [first, second] = await offersFrom("from", 2);
  ok(first !== undefined && second !== undefined);
  const lost = new Error("refused");
  await rejects(
    places.whileLocking(first, () => Promise.reject(lost)),
    lost,
  );
  equal(await places.whileLocking(second, async () => "locked"), "locked");
});
