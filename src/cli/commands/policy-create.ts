import { storageTransferPolicies } from "../../api/gen/transfer.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { confirm } from "../kubectl/confirm.ts";
import { eyesOf } from "../kubectl/eyes.ts";
import { dryRunFlag, dryRunOf, yesFlag } from "../kubectl/flags.ts";
import { nameOf } from "../kubectl/names.ts";
import { send } from "../kubectl/send.ts";
import { policyFlags, policyOf, specOf } from "../policy/policy-flags.ts";

export const policyCreate = kubeCommand({
  name: "create",
  says: "let other namespaces have claims of yours, without being asked each time",
  takes: "NAME",
  examples: [
    "kubectl portway policy create to-stage -n prod --to stage --count 5 --until 2030-12-31T18:00:00Z",
    "kubectl portway policy create archive -n prod --to-selector team=archive -l tier=cold --max-size 100Gi --count 50",
  ],
  flags: { ...policyFlags, ...yesFlag, ...dryRunFlag },
  check({ flags, positionals }) {
    nameOf(positionals[0], "the policy");
    specOf(flags);
    dryRunOf(flags["dry-run"]);
  },
  async run({ flags, positionals, ...session }) {
    const { planOf } = await import("../policy/plan.ts");
    const policy = policyOf(flags, { namespace: session.namespace, name: nameOf(positionals[0], "the policy") });
    const dryRun = dryRunOf(flags["dry-run"]);
    const plan = await planOf(policy, eyesOf(session.client));
    await confirm(session.terminal, plan, flags.yes || dryRun !== "none");
    await send(session, storageTransferPolicies, policy, dryRun);
  },
});
