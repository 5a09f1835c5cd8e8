import { misuse } from "../../api/failure.ts";
import type { Where } from "../../kube/client.ts";
import { kubeCommand } from "../kubectl/command.ts";

export const status = kubeCommand({
  name: "status",
  says: "the transfers and buckets that you may see: how far they are, why, and what to type next",
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
    // Loaded here: nobody waits for it who only wants to read a help text.
    if (flags.watch) {
      const { watchStandings } = await import("../status/watch.ts");
      return await watchStandings(session, where);
    }
    const { printStandings } = await import("../status/print.ts");
    await printStandings(session, where);
  },
});
