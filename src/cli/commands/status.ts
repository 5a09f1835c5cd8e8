import { misuse } from "../../api/failure.ts";
import type { Where } from "../../kube/client.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { eyesOf } from "../kubectl/eyes.ts";
import { dataText } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import { inColumns } from "../text/columns.ts";
import type { Standing } from "../transfer/pairs.ts";
import { cellsOf, headingsOf } from "../transfer/standing-table.ts";

export const status = kubeCommand({
  name: "status",
  says: "the transfers that you may see: how far they are, why, and what to type next",
  examples: ["kubectl portway status", "kubectl portway status -A -o wide", "kubectl portway status -w"],
  flags: {
    watch: { says: "go on, and print what changes", short: "w" },
    selector: { says: "only those with these labels", value: "SELECTOR", short: "l", ofKubectl: true },
    "all-namespaces": { says: "of the whole cluster", short: "A", ofKubectl: true },
  },
  async run({ flags, ...session }) {
    if (flags.watch && !["table", "wide"].includes(session.output))
      throw misuse("-w prints a table only", "Leave -o out, or write -o wide.");
    const where: Where = {
      ...(flags["all-namespaces"] ? {} : { namespace: session.namespace }),
      ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
    };
    if (flags.watch) {
      const { watchStandings } = await import("../transfer/watch-standings.ts");
      return await watchStandings(session, where);
    }
    // Loaded here: nobody waits for it who only wants to read a help text.
    const { consentsIn, standingsOf } = await import("../transfer/standings.ts");
    const eyes = eyesOf(session.client);
    await print(session, await standingsOf(await consentsIn(session.client, where), where, eyes), where.namespace);
    for (const { what, why } of eyes.unseen) session.terminal.say(`not seen: ${what} (${why})`);
  },
});

async function print(session: Session, all: readonly Standing[], namespace: string | undefined): Promise<void> {
  const { terminal, output } = session;
  if (output === "json" || output === "yaml") return terminal.result(await dataText(output, { items: all }));
  if (all.length === 0) {
    terminal.say(`No transfers found${namespace === undefined ? "" : ` in ${namespace} namespace`}.`);
    return;
  }
  if (output === "name") {
    for (const { object } of all) terminal.result(object);
    return;
  }
  const look = { isWide: output === "wide", colours: terminal.colours === true, now: new Date() };
  terminal.result(
    inColumns(
      headingsOf(look),
      all.map((one) => cellsOf(one, look)),
    ),
  );
}
