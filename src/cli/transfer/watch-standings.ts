import { persistentVolumeClaims } from "../../api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import type { Resource } from "../../api/object.ts";
import type { Where } from "../../kube/client.ts";
import { eyesOf } from "../kubectl/eyes.ts";
import { listed } from "../kubectl/listing.ts";
import type { Session } from "../kubectl/session.ts";
import { watchOf } from "../kubectl/watch.ts";
import { inColumns } from "../text/columns.ts";
import type { Standing } from "./pairs.ts";
import { cellsOf, headingsOf } from "./standing-table.ts";
import { keyOf, standingsOf, volumesIn } from "./standings.ts";

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
  const all = [requests, approvals, claims];
  const print = linePrinter(session);
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
      print(await standingsOf(consents, where, eyesOf(client)));
      await wake.promise;
    }
  } catch (problem) {
    if (!stop.aborted) throw problem;
  } finally {
    await Promise.all(all.map((one) => one.stop()));
  }
}

/** Headings once; then the lines that say something new. Time alone is nothing new. */
function linePrinter({ terminal, output }: Session): (all: readonly Standing[]) => void {
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
