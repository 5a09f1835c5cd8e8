import { Failure, misuse } from "../../api/failure.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import { durationOf } from "../../runtime/flag-values.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { confirm } from "../kubectl/confirm.ts";
import { eyesOf } from "../kubectl/eyes.ts";
import { dryRunFlag, dryRunOf, yesFlag } from "../kubectl/flags.ts";
import { freshEnding, inWords, nameOf } from "../kubectl/names.ts";
import { send } from "../kubectl/send.ts";
import { approvalOf, type Handshake, requestOf } from "../transfer/handshake.ts";
import { lossesAt, lossesInWords } from "../transfer/losses.ts";

export const rename = kubeCommand({
  name: "rename",
  says: "give a claim another name, with its volume and all its data",
  takes: "OLD NEW",
  examples: ["kubectl portway rename data data-2025"],
  completes: ["claim"],
  flags: {
    ...yesFlag,
    timeout: { says: "how long to wait at most (5m)", value: "DURATION" },
    ...dryRunFlag,
  },
  check({ flags, positionals: [from, to] }) {
    if (nameOf(from, "the claim OLD") === nameOf(to, "the claim NEW"))
      throw misuse(`${from ?? ""} has this name already`, "Name another one.");
    dryRunOf(flags["dry-run"]);
    durationOf(flags.timeout ?? "5m", "--timeout");
  },
  async run({ flags, positionals: [from = "", to = ""], ...session }) {
    const { namespace } = session;
    const name = `rename-${from}-${freshEnding()}`;
    const wish: Handshake = {
      source: { namespace, name: from },
      target: { namespace, name: to },
      requestName: name,
      approvalName: name,
    };
    const eyes = eyesOf(session.client);
    const losses = await lossesAt(eyes, wish.source);
    if (losses.claim.is === "seen" && losses.claim.value === undefined)
      throw new Failure(`there is no claim ${inWords(wish.source)}`, `kubectl get pvc -n ${namespace} lists them.`);
    const dryRun = dryRunOf(flags["dry-run"]);
    const plan = [
      `The claim ${inWords(wish.source)} becomes ${inWords(wish.target)}, with the same volume:`,
      ...lossesInWords(losses, wish.source).map((line) => `  - ${line}`),
      "  - labels and annotations of the old claim stay behind, except app.kubernetes.io/{name,component,part-of,version}",
    ];
    await confirm(session.terminal, plan, flags.yes || dryRun !== "none");
    const uid = losses.claim.is === "seen" ? losses.claim.value?.metadata.uid : undefined;
    await send(session, storageTransferApprovals, approvalOf(wish, uid), dryRun);
    const object = await send(session, storageTransferRequests, requestOf(wish), dryRun);
    if (object === undefined) return;
    const { followConsent } = await import("../transfer/follow.ts");
    const timeoutSeconds = durationOf(flags.timeout ?? "5m", "--timeout");
    await followConsent(session, { resource: storageTransferRequests, object, target: wish.target, timeoutSeconds });
  },
});
