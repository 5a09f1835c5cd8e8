import { misuse } from "../../api/failure.ts";
import { durationOf } from "../../runtime/flag-values.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { dryRunFlag, dryRunOf, waitFlags, yesFlag } from "../kubectl/flags.ts";
import { nameOf } from "../kubectl/names.ts";

export const bucketRm = kubeCommand({
  name: "rm",
  says: "delete buckets; what becomes of what is in them is told before",
  takes: "NAME… | -l SELECTOR",
  examples: ["kubectl portway bucket rm photos --wait", "kubectl portway bucket rm -l app=shop -n team-a --yes"],
  completes: ["bucket"],
  flags: {
    selector: { says: "all that have these labels", value: "SELECTOR", short: "l", ofKubectl: true },
    ...yesFlag,
    ...waitFlags,
    wait: { says: "wait until they are gone, and tell every step" },
    ...dryRunFlag,
  },
  check({ flags, positionals }) {
    if (flags.selector !== undefined && positionals.length > 0)
      throw misuse("with -l, no Bucket is named", "Leave out the one or the other.");
    if (flags.selector === undefined && positionals.length === 0)
      throw misuse("the Bucket is missing", "Write its name, or -l SELECTOR.");
    for (const name of positionals) nameOf(name, "the Bucket");
    dryRunOf(flags["dry-run"]);
    durationOf(flags.timeout ?? "5m", "--timeout");
  },
  async run({ flags, positionals: names, ...session }) {
    const { removeBuckets } = await import("../bucket/remove.ts");
    const { selector, wait, yes: isAgreed } = flags;
    const timeoutSeconds = durationOf(flags.timeout ?? "5m", "--timeout");
    const wanted = selector === undefined ? { names } : { selector };
    await removeBuckets(session, wanted, { isAgreed, dryRun: dryRunOf(flags["dry-run"]), wait, timeoutSeconds });
  },
});
