import { withCondition } from "../api/conditions.ts";
import { defined } from "../api/defined.ts";
import {
  type StorageTransferApprovalStatus,
  type StorageTransferRequestStatus,
  storageTransferApprovals,
  storageTransferRequests,
} from "../api/gen/transfer.ts";
import { type Reason, reasons } from "../api/reasons.ts";
import type { Report } from "../runtime/report.ts";
import type { Decision } from "../runtime/table.ts";
import type { Step } from "./rules.ts";
import type { UnderWay } from "./seen.ts";
import type { Approval, Request } from "./watches.ts";

/** What both kinds say about a transfer. */
export interface Progress {
  readonly phase: NonNullable<StorageTransferRequestStatus["phase"]>;
  readonly reason: Reason;
  readonly message: string;
  /** Why it does not go on, or has ended badly. */
  readonly isError?: boolean;
  readonly hasEnded?: boolean;
  readonly operation?: string;
  readonly now: Date;
}

type CommonStatus = Omit<StorageTransferRequestStatus, "targetUID">;

/** The whole status, every time; what is told again in the same words keeps its times. */
export function statusOf({ metadata, status: before }: Request | Approval, progress: Progress): CommonStatus {
  const { phase, reason, message, isError = false, hasEnded = false, operation, now } = progress;
  const complete = phase === "Complete";
  const observedGeneration = metadata.generation;
  const wish = { type: "Complete", status: complete ? "True" : "False", reason, message, observedGeneration } as const;
  const since = before?.error?.reason === reason ? before.error.time : wholeSeconds(now);
  const error = isError ? { time: since, reason, message } : undefined;
  const completionTime = hasEnded ? (before?.completionTime ?? wholeSeconds(now)) : undefined;
  const conditions = withCondition(before?.conditions, wish, now);
  return { complete, phase, conditions, ...defined({ observedGeneration, error, completionTime, operation }) };
}

/** The row's sentence stands in the message: a tenant who cannot see volumes still learns why. */
export function messageOf({ row, plan }: Decision<string>): { readonly reason: Reason; readonly message: string } {
  if (plan.do !== "wait" && plan.do !== "refuse") return { reason: "Settled", message: reasons.Settled.says };
  const { why, detail } = plan;
  return { reason: why, message: `${detail ?? reasons[why].says} ${reasons[why].next} (${row})` };
}

interface Use {
  readonly requestUID: string;
  readonly sourceUID?: string;
  readonly now: Date;
}

/** Written when the target is bound: from then on the approval is used, whatever happens next. */
export function approvalUsed(approval: Approval, { requestUID, sourceUID, now }: Use): StorageTransferApprovalStatus {
  const progress: Progress = {
    phase: "Complete",
    reason: "Settled",
    message: reasons.Settled.says,
    hasEnded: true,
    now,
  };
  return {
    ...statusOf(approval, { ...progress, operation: requestUID }),
    consumed: true,
    requestUID,
    ...(sourceUID === undefined ? {} : { sourceUID }),
  };
}

export function report(seen: UnderWay, decision: Decision<Step>): readonly Report[] {
  const { journal, approval } = seen;
  // What has ended stays as it was told.
  const request = seen.request?.status?.completionTime === undefined ? seen.request : undefined;
  // Where everything is as before, the request is open again, and it is told what is in its way by its own loop.
  if (journal.outcome === "rolled-back") return seen.request === undefined ? openAgain(seen) : [];
  const progress = progressOf(seen, decision);
  return [
    ...(request === undefined
      ? []
      : [{ resource: storageTransferRequests, object: request, status: requestStatus(request, seen, progress) }]),
    ...(approval === undefined || approval.status?.consumed === true
      ? []
      : [{ resource: storageTransferApprovals, object: approval, status: statusOf(approval, progress) }]),
  ];
}

/** With its request gone no other loop tells it, and it would say for ever that it is being used. */
function openAgain({ approval, journal, now }: UnderWay): readonly Report[] {
  if (approval?.status?.phase !== "Transferring") return [];
  const message =
    "The request is gone, and the source has kept its volume. Delete the approval, or have the claim requested again.";
  const progress: Progress = { phase: "Pending", reason: "RolledBack", message, operation: journal.id, now };
  return [{ resource: storageTransferApprovals, object: approval, status: statusOf(approval, progress) }];
}

function requestStatus(request: Request, { target }: UnderWay, progress: Progress): StorageTransferRequestStatus {
  const targetUID =
    target.is === "there" && progress.phase === "Complete" ? target.claim.metadata.uid : request.status?.targetUID;
  return { ...statusOf(request, progress), ...(targetUID === undefined ? {} : { targetUID }) };
}

function progressOf({ journal, now }: UnderWay, decision: Decision<Step>): Progress {
  const operation = journal.id;
  if (journal.outcome === "complete") {
    const reason = journal.revokedTooLate === true ? "RevokedTooLate" : "Settled";
    return { phase: "Complete", reason, message: reasons[reason].says, hasEnded: true, operation, now };
  }
  if (journal.outcome === "orphaned") {
    const message = `${reasons.Orphaned.says} ${reasons.Orphaned.next}`;
    return { phase: "Failed", reason: "Orphaned", message, isError: true, hasEnded: true, operation, now };
  }
  return { phase: "Transferring", ...messageOf(decision), isError: decision.plan.do === "refuse", operation, now };
}

export function wholeSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
