import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import { reasons } from "../../api/reasons.ts";
import type { Report, Written } from "../../runtime/report.ts";
import type { Decision, Refusal } from "../../runtime/table.ts";
import { messageOf, type Progress, statusOf } from "../status.ts";
import type { Step } from "./rules.ts";
import { cameBackByUse, isRecorded, movedByUse, movedTarget, type Proposed } from "./seen.ts";

export function reportProposal(seen: Proposed, decision: Decision<Step>): readonly Report[] {
  const { request, approval, journal } = seen;
  const progress = progressOf(seen, decision);
  // Under way it is told by the loop of its volume, and what has ended stays as it was told.
  if (progress === undefined || journal !== undefined || request.status?.completionTime !== undefined) return [];
  const targetUID = movedTarget(seen)?.metadata.uid;
  // What was written down before the source goes must not be told away while it goes.
  const record = isRecorded(seen) ? { operation: request.metadata.uid } : {};
  const status = { ...record, ...statusOf(request, progress), ...(targetUID === undefined ? {} : { targetUID }) };
  return [
    { resource: storageTransferRequests, object: request, status, ...noteOf(progress) },
    ...(approval === undefined || approval.status?.consumed === true
      ? []
      : [{ resource: storageTransferApprovals, object: approval, status: statusOf(approval, progress) }]),
  ];
}

function progressOf(seen: Proposed, decision: Decision<Step>): Progress | undefined {
  const { now } = seen;
  const { plan } = decision;
  const ending = endingOf(seen);
  if (ending !== undefined) return { ...ending, hasEnded: true, operation: seen.request.metadata.uid, now };
  if (plan.do === "wait") return { phase: "Pending", ...messageOf(decision), now };
  if (plan.do !== "refuse") return undefined;
  const isFinal = isFailure(plan);
  return { phase: isFinal ? "Failed" : "Pending", ...messageOf(decision), isError: true, hasEnded: isFinal, now };
}

type Ending = Pick<Progress, "phase" | "reason" | "message" | "isError">;

function endingOf(seen: Proposed): Ending | undefined {
  const { request, approval } = seen;
  const isUsedByUs = approval?.status?.consumed === true && approval.status.requestUID === request.metadata.uid;
  if (cameBackByUse(seen) || (isUsedByUs && cameBack(seen))) {
    const message = `${reasons.RolledBack.says} ${reasons.RolledBack.next}`;
    return { phase: "RolledBack", reason: "RolledBack", message, isError: true };
  }
  if (!isUsedByUs && !movedByUse(seen)) return undefined;
  return { phase: "Complete", reason: "Settled", message: reasons.Settled.says };
}

/** Only what the request itself asks to fail for is final; the server may change its mind. */
function isFailure({ why }: Refusal): boolean {
  return why === "SourceInUse";
}

/** By a policy an empty claim has moved, and nobody was told so yet; else the last step is the end. */
export function movesNow(seen: Proposed): boolean {
  return movedByUse(seen) && seen.request.status?.completionTime === undefined;
}

/** It fails, and has not been told so yet. */
export function failsNow({ request }: Proposed, { plan }: Decision<Step>): boolean {
  return plan.do === "refuse" && isFailure(plan) && request.status?.completionTime === undefined;
}

/** The target had been bound, which used the approval up, and was deleted before the end. */
function cameBack({ reading, request }: Proposed): boolean {
  if (reading.is !== "journal") return false;
  const { outcome, request: asked } = reading.journal;
  return outcome === "rolled-back" && asked.uid === request.metadata.uid;
}

function noteOf({ phase, reason, message }: Progress): Pick<Written, "note"> {
  if (phase !== "Failed") return {};
  return { note: { type: "Warning", reason, message } };
}
