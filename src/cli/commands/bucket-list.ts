import { kubeCommand } from "../kubectl/command.ts";

export const bucketList = kubeCommand({
  name: "list",
  says: "the buckets that you may see: how far they are, and why",
  examples: ["kubectl portway bucket list", "kubectl portway bucket list -A -l app=shop"],
  flags: {
    selector: { says: "only those with these labels", value: "SELECTOR", short: "l", ofKubectl: true },
    "all-namespaces": { says: "of the whole cluster", short: "A", ofKubectl: true },
  },
  async run({ flags, ...session }) {
    const { printBuckets } = await import("../bucket/list.ts");
    await printBuckets(session, {
      ...(flags["all-namespaces"] ? {} : { namespace: session.namespace }),
      ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
    });
  },
});
