import { Failure } from "../../api/failure.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { eyesOf, valueOf } from "../kubectl/eyes.ts";
import { dryRunFlag, dryRunOf, yesFlag } from "../kubectl/flags.ts";
import { inWords, placeOf } from "../kubectl/names.ts";
import { withdrawApproval, withdrawRequest } from "../transfer/withdraw.ts";

export const deny = kubeCommand({
  name: "deny",
  says: "take an approval back, or turn down a request that is yours",
  takes: "REQUEST_NS/REQUEST_NAME",
  examples: ["kubectl portway deny team-b/transfer-data -n team-a"],
  completes: ["other request"],
  flags: { ...yesFlag, ...dryRunFlag },
  check({ flags, positionals }) {
    placeOf(positionals[0], "the request");
    dryRunOf(flags["dry-run"]);
  },
  async run({ flags, positionals, ...session }) {
    const at = placeOf(positionals[0], "the request");
    const how = { isAgreed: flags.yes, dryRun: dryRunOf(flags["dry-run"]) };
    const eyes = eyesOf(session.client);
    const approvals = await eyes.list(storageTransferApprovals, { namespace: session.namespace });
    const approval = valueOf(approvals)?.find(
      ({ spec }) => spec.requestName === at.name && spec.targetNamespace === at.namespace,
    );
    if (approval !== undefined) return await withdrawApproval(session, approval, how);
    const request = valueOf(await eyes.find(storageTransferRequests, at));
    if (request !== undefined && at.namespace === session.namespace)
      return await withdrawRequest(session, request, how);
    const hidden = eyes.unseen.map(({ what }) => ` You may not see ${what}.`).join("");
    throw new Failure(
      `there is no approval of ${inWords(at)} in ${session.namespace}.${hidden}`,
      "Then there is nothing to take back: without an approval nothing happens, however long the request waits.",
    );
  },
});
