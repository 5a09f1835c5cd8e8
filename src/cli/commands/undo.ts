import { Failure } from "../../api/failure.ts";
import { persistentVolumeClaims } from "../../api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { eyesOf, valueOf } from "../kubectl/eyes.ts";
import { dryRunFlag, dryRunOf, yesFlag } from "../kubectl/flags.ts";
import { inWords, nameOf } from "../kubectl/names.ts";
import { handshakeOf, type Request } from "../transfer/handshake.ts";
import { toldOn } from "../transfer/told.ts";
import { withdrawApproval, withdrawRequest } from "../transfer/withdraw.ts";

export const undo = kubeCommand({
  name: "undo",
  says: "take your word back while that is possible, and afterwards say how to hand the claim back",
  takes: "NAME_OF_REQUEST_APPROVAL_OR_CLAIM",
  examples: ["kubectl portway undo transfer-data -n team-b"],
  completes: ["consent"],
  flags: { ...yesFlag, ...dryRunFlag },
  check({ flags, positionals }) {
    nameOf(positionals[0], "the request, approval or claim");
    dryRunOf(flags["dry-run"]);
  },
  async run({ flags, positionals, ...session }) {
    const key = { namespace: session.namespace, name: nameOf(positionals[0], "the request, approval or claim") };
    const how = { isAgreed: flags.yes, dryRun: dryRunOf(flags["dry-run"]) };
    const eyes = eyesOf(session.client);
    const request = valueOf(await eyes.find(storageTransferRequests, key));
    if (request !== undefined) {
      if (toldOn(request).phase !== "Complete") return await withdrawRequest(session, request, how);
      session.terminal.say(
        `${inWords(request.spec.source)} was handed over; nothing is undone by itself. To hand it back:`,
      );
      session.terminal.result(handBack(request).join("\n"));
      return;
    }
    const approval = valueOf(await eyes.find(storageTransferApprovals, key));
    if (approval !== undefined) return await withdrawApproval(session, approval, how);
    const claim = valueOf(await eyes.find(persistentVolumeClaims, key));
    const { undoOnClaim } = await import("../transfer/undo-give.ts");
    if (claim !== undefined && (await undoOnClaim(session, claim, how))) return;
    const hidden = eyes.unseen.map(({ what }) => ` You may not see ${what}.`).join("");
    throw new Failure(
      `there is neither a request nor an approval ${inWords(key)}, nor a claim that is given or accepts.${hidden}`,
      "kubectl portway status lists them; what was given and deleted comes back with kubectl portway take-back.",
    );
  },
});

/** The same way in the other direction: whoever gave asks, and whoever got agrees. */
export function handBack(request: Request): readonly string[] {
  const { source, target } = handshakeOf(request);
  const name = `return-${source.name}`;
  const back = `approve-${name}-${request.metadata.uid.slice(0, 6)}`;
  return [
    `kubectl portway request ${inWords(target)} ${source.name} -n ${source.namespace} --request-name ${name} --approval-name ${back}`,
    `kubectl portway approve ${source.namespace}/${name} -n ${target.namespace} --source ${target.name} --approval-name ${back}`,
  ];
}
