import { durationOf } from "../../runtime/flag-values.ts";
import { bucketOf, orderFlags } from "../bucket/order.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { dryRunFlag, dryRunOf, waitFlags, yesFlag } from "../kubectl/flags.ts";
import { nameOf } from "../kubectl/names.ts";

export const bucketCreate = kubeCommand({
  name: "create",
  says: "ask for a bucket and the keys to it; what becomes of it is told before",
  takes: "NAME",
  examples: [
    "kubectl portway bucket create photos --class fast --wait",
    "kubectl portway bucket create photos --class fast --prefix photos- --secret photos-s3 -n team-a",
  ],
  flags: {
    ...orderFlags,
    ...waitFlags,
    wait: { says: "wait until the keys are there, and tell every step" },
    ...yesFlag,
    ...dryRunFlag,
  },
  check({ flags, positionals }) {
    bucketOf(flags, { namespace: "", name: nameOf(positionals[0], "the Bucket") });
    dryRunOf(flags["dry-run"]);
    durationOf(flags.timeout ?? "5m", "--timeout");
  },
  async run({ flags, positionals, ...session }) {
    const { createBucket } = await import("../bucket/create.ts");
    const place = { namespace: session.namespace, name: nameOf(positionals[0], "the Bucket") };
    const how = { isAgreed: flags.yes, dryRun: dryRunOf(flags["dry-run"]) };
    const made = await createBucket(session, bucketOf(flags, place), how);
    if (made === undefined) return;
    if (flags.wait) {
      const { followToKeys } = await import("../bucket/follow.ts");
      await followToKeys(session, made, durationOf(flags.timeout ?? "5m", "--timeout"));
    }
    const open = `eval "$(kubectl portway bucket env ${place.name} -n ${place.namespace})"`;
    session.terminal.say(`${flags.wait ? "Open it" : "Once it is bound, open it"} in a shell with:\n  ${open}`);
  },
});
