import { Failure } from "../../api/failure.ts";
import { persistentVolumeClaims } from "../../api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import type { Resource } from "../../api/object.ts";
import { confirm } from "../kubectl/confirm.ts";
import { eyesOf } from "../kubectl/eyes.ts";
import type { DryRun } from "../kubectl/flags.ts";
import { inWords, type Place } from "../kubectl/names.ts";
import { printDone } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import type { Approval, Request } from "./handshake.ts";
import { toldOn } from "./told.ts";

interface How {
  readonly isAgreed: boolean;
  readonly dryRun: DryRun;
}

/** Takes the receiver's word back: this very request, and no later one of the same name. */
export async function withdrawRequest(session: Session, request: Request, how: How): Promise<void> {
  const { source } = request.spec;
  const point = await sayIfTooLate(session, request, source);
  const plan = [`The request ${inWords(request.metadata)} for ${inWords(source)} is deleted.`, ...point];
  await remove(session, storageTransferRequests, request, plan, how);
}

/** Takes the giver's word back. */
export async function withdrawApproval(session: Session, approval: Approval, how: How): Promise<void> {
  const { namespace = "", name } = approval.metadata;
  const source = { namespace, name: approval.spec.source.name };
  if (approval.status?.consumed === true)
    throw new Failure(
      `the approval ${namespace}/${name} has been used: ${inWords(source)} is handed over`,
      `Ask ${approval.spec.targetNamespace} to hand it back: kubectl portway undo ${approval.spec.requestName} -n ${approval.spec.targetNamespace}`,
    );
  const point = await sayIfTooLate(session, approval, source);
  const asked = `${approval.spec.targetNamespace}/${approval.spec.requestName}`;
  const plan = [
    `The approval ${namespace}/${name} is deleted; the request ${asked} stays, and waits for another one.`,
    ...point,
  ];
  await remove(session, storageTransferApprovals, approval, plan, how);
}

async function remove(
  session: Session,
  resource: Resource,
  object: Request | Approval,
  plan: readonly string[],
  { isAgreed, dryRun }: How,
): Promise<void> {
  const { namespace = "", name, uid } = object.metadata;
  await confirm(session.terminal, plan, isAgreed || dryRun !== "none");
  if (dryRun !== "client")
    await session.client.delete(resource, { namespace, name, uid }, { dryRun: dryRun === "server" });
  await printDone(session, resource, object, "deleted", dryRun);
}

/** A word can be taken back until the source claim is given up; afterwards the transfer completes. */
async function sayIfTooLate(
  { client }: Session,
  object: Request | Approval,
  source: Place,
): Promise<readonly string[]> {
  const { phase } = toldOn(object);
  if (phase !== "Transferring") return ["Nothing has been changed by it; nothing will be."];
  const sight = await eyesOf(client).find(persistentVolumeClaims, source);
  if (sight.is === "unseen")
    return [
      `The transfer is under way, and you may not see whether ${inWords(source)} is given up already.`,
      "If it is not, everything stays with the source; if it is, the transfer completes all the same.",
    ];
  const isThere = sight.value !== undefined && sight.value.metadata.deletionTimestamp === undefined;
  return isThere
    ? [`The transfer is under way; ${inWords(source)} is still there, and keeps its volume.`]
    : [`It comes too late: ${inWords(source)} is given up already, and the transfer completes all the same.`];
}
