import { persistentVolumeClaims } from "../../api/gen/core.ts";
import { buckets } from "../../api/gen/cosi.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import type { Resource } from "../../api/object.ts";
import type { Where } from "../../kube/client.ts";
import { bucketCells, bucketHeadings, standingOfBucket } from "../bucket/standing.ts";
import { eyesOf } from "../kubectl/eyes.ts";
import { listed } from "../kubectl/listing.ts";
import type { Session } from "../kubectl/session.ts";
import { watchOf } from "../kubectl/watch.ts";
import { inColumns } from "../text/columns.ts";
import { cellsOf, headingsOf, type Look } from "../transfer/standing-table.ts";
import { keyOf, standingsOf, volumesIn } from "../transfer/standings.ts";

/** Prints every line again that has changed, until somebody stops it; to stop is how this ends, and no failure. */
export async function watchStandings(session: Session, where: Where): Promise<void> {
  const { client, stop } = session;
  // What may not be listed may not be watched, and is told at once and not for ever tried again.
  for (const resource of [storageTransferRequests, storageTransferApprovals, persistentVolumeClaims] as const)
    await listed(client, resource as Resource, where);
  const [requests, approvals, claims] = [
    watchOf(session, storageTransferRequests, where),
    watchOf(session, storageTransferApprovals, where),
    watchOf(session, persistentVolumeClaims, where),
  ];
  const orders = await bucketWatch(session, where);
  const all = [requests, approvals, claims, ...orders];
  const printTransfers = linePrinter(session, headingsOf, keyOf, cellsOf);
  const printBuckets = linePrinter(
    session,
    bucketHeadings,
    ({ bucket }) => `${bucket.namespace}/${bucket.name}`,
    bucketCells,
  );
  let wake = Promise.withResolvers<void>();
  for (const { cache } of all) cache.onChange(() => wake.resolve());
  stop.addEventListener("abort", () => wake.resolve(), { once: true });
  try {
    await Promise.all(all.map((one) => one.untilSynced(stop)));
    while (!stop.aborted) {
      wake = Promise.withResolvers<void>();
      const consents = {
        requests: [...requests.cache.values()],
        approvals: [...approvals.cache.values()],
        claims: [...claims.cache.values()],
        volumes: await volumesIn(client, where),
      };
      printTransfers(await standingsOf(consents, where, eyesOf(client)));
      printBuckets(orders.flatMap(({ cache }) => [...cache.values()]).map(standingOfBucket));
      await wake.promise;
    }
  } catch (problem) {
    if (!stop.aborted) throw problem;
  } finally {
    await Promise.all(all.map((one) => one.stop()));
  }
}

/** None for those who may not see buckets: they hear so once, and watch the rest. */
async function bucketWatch(session: Session, where: Where) {
  const eyes = eyesOf(session.client);
  if ((await eyes.list(buckets, where)).is === "seen") return [watchOf(session, buckets, where)];
  for (const { what, why } of eyes.unseen) session.terminal.say(`not seen: ${what} (${why})`);
  return [];
}

/** Headings once; then the lines that say something new. Time alone is nothing new. */
function linePrinter<S>(
  { terminal, output }: Session,
  headingsOf: (look: Look) => readonly string[],
  keyOf: (one: S) => string,
  cellsOf: (one: S, look: Look) => readonly string[],
): (all: readonly S[]) => void {
  const known = new Map<string, string>();
  let isFirst = true;
  return (all) => {
    const look = { isWide: output === "wide", colours: terminal.colours === true, now: new Date() };
    const fresh = all.filter((one) => known.get(keyOf(one)) !== JSON.stringify(one));
    for (const one of fresh) known.set(keyOf(one), JSON.stringify(one));
    if (fresh.length === 0) return;
    const headings = headingsOf(look);
    const cells = fresh.map((one) => cellsOf(one, look));
    const text = isFirst
      ? inColumns(headings, cells)
      : inColumns(
          headings.map(() => ""),
          cells,
        ).slice(1);
    isFirst = false;
    terminal.result(text);
  };
}
