import type { Where } from "../../kube/client.ts";
import { bucketCells, bucketHeadings, bucketStandings } from "../bucket/standing.ts";
import { eyesOf } from "../kubectl/eyes.ts";
import { dataText } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import { inColumns } from "../text/columns.ts";
import { cellsOf, headingsOf } from "../transfer/standing-table.ts";
import { consentsIn, standingsOf } from "../transfer/standings.ts";

/** Transfers, and buckets below them. Who may not see buckets still gets the rest. */
export async function printStandings(session: Session, where: Where): Promise<void> {
  const { client, terminal, output } = session;
  const eyes = eyesOf(client);
  const transfers = await standingsOf(await consentsIn(client, where), where, eyes);
  const stored = await bucketStandings(eyes, where);
  const all = [...transfers, ...stored];
  if (output === "json" || output === "yaml") terminal.result(await dataText(output, { items: all }));
  else if (all.length === 0) terminal.say(`No transfers or buckets found${placeInWords(where)}.`);
  else if (output === "name") for (const { object } of all) terminal.result(object);
  else {
    const look = { isWide: output === "wide", colours: terminal.colours === true, now: new Date() };
    const tables = [
      tableOf(
        headingsOf(look),
        transfers.map((one) => cellsOf(one, look)),
      ),
      tableOf(
        bucketHeadings(look),
        stored.map((one) => bucketCells(one, look)),
      ),
    ];
    terminal.result(tables.flat().join("\n\n"));
  }
  for (const { what, why } of eyes.unseen) terminal.say(`not seen: ${what} (${why})`);
}

function placeInWords({ namespace }: Where): string {
  return namespace === undefined ? "" : ` in ${namespace} namespace`;
}

/** As kubectl prints several kinds: a table each, and none for a kind of which there is nothing. */
function tableOf(headings: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return rows.length === 0 ? [] : [inColumns(headings, rows)];
}
