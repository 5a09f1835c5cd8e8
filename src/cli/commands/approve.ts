import { Failure, misuse } from "../../api/failure.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import { durationOf } from "../../runtime/flag-values.ts";
import { bulkFlags, otherNamespace } from "../bulk/bulk-flags.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { confirm } from "../kubectl/confirm.ts";
import { type Eyes, eyesOf } from "../kubectl/eyes.ts";
import { dryRunFlag, dryRunOf, waitFlags, yesFlag } from "../kubectl/flags.ts";
import { inWords, nameOf, type Place, placeOf } from "../kubectl/names.ts";
import { send } from "../kubectl/send.ts";
import type { Session } from "../kubectl/session.ts";
import { approvalOf, type Handshake, handshakeOf } from "../transfer/handshake.ts";
import { lossesAt, lossesInWords } from "../transfer/losses.ts";

export const approve = kubeCommand({
  name: "approve",
  says: "let another namespace have a claim of yours",
  takes: "REQUEST_NS/REQUEST_NAME | -l SELECTOR REQUEST_NS",
  examples: [
    "kubectl portway approve team-b/transfer-data -n team-a --source data --approval-name approve-data",
    "kubectl portway approve -l transfer.portway.dev/batch=batch-1a2b3c team-b -n team-a",
  ],
  completes: ["other request"],
  flags: {
    source: { says: "the claim, where you may not read the request", value: "NAME" },
    "approval-name": { says: "the name that the request gives to the approval, likewise", value: "NAME" },
    ...bulkFlags,
    ...yesFlag,
    ...waitFlags,
    ...dryRunFlag,
  },
  check({ flags, positionals }) {
    if (flags.selector === undefined) placeOf(positionals[0], "the request");
    else otherNamespace(positionals, "REQUEST_NS");
    for (const name of ["source", "approval-name"] as const)
      if (flags[name] !== undefined) nameOf(flags[name], `--${name}`);
    dryRunOf(flags["dry-run"]);
    durationOf(flags.timeout ?? "5m", "--timeout");
  },
  async run({ flags, positionals, ...session }) {
    if (flags.selector !== undefined) {
      const { approveAll } = await import("../bulk/handshakes.ts");
      const how = { selector: flags.selector, isAgreed: flags.yes, dryRun: dryRunOf(flags["dry-run"]) };
      return await approveAll(session, otherNamespace(positionals, "REQUEST_NS"), how);
    }
    const eyes = eyesOf(session.client);
    const wish = await wishOf(session, eyes, placeOf(positionals[0], "the request"), flags);
    const losses = await lossesAt(eyes, wish.source);
    if (losses.claim.is === "seen" && losses.claim.value === undefined)
      throw new Failure(
        `there is no claim ${inWords(wish.source)}`,
        "An approval covers only a claim that is there: create it first, or check the name.",
      );
    const uid = losses.claim.is === "seen" ? losses.claim.value?.metadata.uid : undefined;
    const dryRun = dryRunOf(flags["dry-run"]);
    const plan = [
      `You let ${wish.target.namespace} have the claim ${inWords(wish.source)}, with its volume and all its data:`,
      ...lossesInWords(losses, wish.source).map((line) => `  - ${line}`),
      uid === undefined
        ? "  - you may not read the claim, so the approval goes by its name alone"
        : `  - the approval is for this very claim (${uid}), and for one transfer`,
      ...eyes.unseen.map(({ what, why }) => `  - not seen: ${what} (${why})`),
      `It can be taken back until the claim is given up: kubectl portway deny ${positionals[0] ?? ""} -n ${wish.source.namespace}`,
    ];
    await confirm(session.terminal, plan, flags.yes || dryRun !== "none");
    const object = await send(session, storageTransferApprovals, approvalOf(wish, uid), dryRun);
    if (object === undefined || !flags.wait) return;
    const { followConsent } = await import("../transfer/follow.ts");
    const timeoutSeconds = durationOf(flags.timeout ?? "5m", "--timeout");
    await followConsent(session, { resource: storageTransferApprovals, object, timeoutSeconds });
  },
});

interface Names {
  readonly source: string | undefined;
  readonly "approval-name": string | undefined;
}

/** From the request, which knows; from the flags where it may not be read. They must not contradict each other. */
async function wishOf(session: Session, eyes: Eyes, at: Place, flags: Names): Promise<Handshake> {
  const sight = await eyes.find(storageTransferRequests, at);
  if (sight.is === "unseen") return fromFlags(session, at, flags);
  if (sight.value === undefined) {
    if (flags.source !== undefined && flags["approval-name"] !== undefined) return fromFlags(session, at, flags);
    throw new Failure(
      `there is no request ${inWords(at)}`,
      "Check the name with whoever asked; to approve before they ask, add --source and --approval-name.",
    );
  }
  const wish = handshakeOf(sight.value);
  const said: readonly (readonly [flag: string, given: string | undefined, asked: string])[] = [
    ["--namespace", session.isNamespaceGiven ? session.namespace : undefined, wish.source.namespace],
    ["--source", flags.source, wish.source.name],
    ["--approval-name", flags["approval-name"], wish.approvalName],
  ];
  for (const [flag, given, asked] of said)
    if (given !== undefined && given !== asked)
      throw new Failure(
        `the request ${inWords(at)} asks for ${flag} ${asked}, and you say ${given}`,
        `It asks for the claim ${inWords(wish.source)}. Leave ${flag} out if that is what you want to give.`,
      );
  return wish;
}

function fromFlags({ namespace }: Session, at: Place, flags: Names): Handshake {
  const { source, "approval-name": approvalName } = flags;
  if (source === undefined || approvalName === undefined)
    throw misuse(
      `you may not read the request ${inWords(at)}`,
      "Take the line that the requester got, or add --source and --approval-name.",
    );
  return {
    source: { namespace, name: source },
    // Where it arrives and under which name is the receiver's business; an approval does not say.
    target: { namespace: at.namespace, name: source },
    requestName: at.name,
    approvalName,
  };
}
