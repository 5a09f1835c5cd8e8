import { persistentVolumeClaims, persistentVolumes } from "../api/gen/core.ts";
import { storageTransferApprovals, storageTransferPolicies, storageTransferRequests } from "../api/gen/transfer.ts";
import { reasons } from "../api/reasons.ts";
import type { AnyJournal, Journal } from "../api/transfer/journal.ts";
import type { Note } from "../runtime/report.ts";
import type { Proposed } from "./proposal/seen.ts";
import type { UnderWay } from "./seen.ts";

/** Events on everything that a transfer begins to touch, and a warning to those who will miss the claim. */
export function notesOnStart(
  { request, approval, standing, source, volume }: Proposed,
  journal: Journal,
  maker: string | undefined,
): readonly Note[] {
  const told = { type: "Normal", reason: "TransferStarted", message: `${routeOf(journal)} begins.` } as const;
  return [
    { ...told, resource: storageTransferRequests, object: request },
    ...(approval === undefined ? [] : [{ ...told, resource: storageTransferApprovals, object: approval }]),
    ...(standing === undefined ? [] : [{ ...told, resource: storageTransferPolicies, object: standing.policy }]),
    ...(source === undefined ? [] : [{ ...told, resource: persistentVolumeClaims, object: source }]),
    ...(volume === undefined ? [] : [{ ...told, resource: persistentVolumes, object: volume }]),
    ...(maker === undefined
      ? []
      : [
          {
            type: "Warning" as const,
            reason: "SourceHasOwner",
            message: `${maker} owns the source claim or has a template for it, and may make it again, empty.`,
            resource: storageTransferRequests,
            object: request,
          },
        ]),
  ];
}

/** An empty claim has moved: there is no volume, so there is nobody else to tell. */
export function notesOnMove({ request, approval, target }: Proposed): readonly Note[] {
  const { namespace, name } = request.spec.source;
  const to = `${request.metadata.namespace ?? ""}/${request.spec.targetName}`;
  const message = `The empty claim ${namespace}/${name} has moved to ${to}.`;
  const told = { type: "Normal", reason: "TransferCompleted", message } as const;
  return [
    { ...told, resource: storageTransferRequests, object: request },
    ...(approval === undefined ? [] : [{ ...told, resource: storageTransferApprovals, object: approval }]),
    ...(target === undefined ? [] : [{ ...told, resource: persistentVolumeClaims, object: target }]),
  ];
}

export function notesOnEnd(seen: UnderWay, journal: Journal): readonly Note[] {
  const { request, approval, standing, target, volume } = seen;
  const told = wordsOf(journal);
  return [
    { ...told, resource: persistentVolumes, object: volume },
    ...(request === undefined ? [] : [{ ...told, resource: storageTransferRequests, object: request }]),
    ...(approval === undefined ? [] : [{ ...told, resource: storageTransferApprovals, object: approval }]),
    ...(standing === undefined ? [] : [{ ...told, resource: storageTransferPolicies, object: standing }]),
    ...(target.is === "there" ? [{ ...told, resource: persistentVolumeClaims, object: target.claim }] : []),
    ...(journal.revokedTooLate === true
      ? [
          {
            type: "Warning" as const,
            reason: "RevokedTooLate",
            message: reasons.RevokedTooLate.says,
            resource: persistentVolumes,
            object: volume,
          },
        ]
      : []),
  ];
}

export function wordsOf(journal: AnyJournal): Pick<Note, "type" | "reason" | "message"> {
  const route = routeOf(journal);
  if (journal.outcome === "complete")
    return { type: "Normal", reason: "TransferCompleted", message: `${route} is complete.` };
  if (journal.outcome === "rolled-back")
    return {
      type: "Warning",
      reason: "TransferRolledBack",
      message: `${route} was undone; the source has its volume.`,
    };
  return {
    type: "Warning",
    reason: "VolumeOrphaned",
    message: `${route}: ${reasons.Orphaned.says} ${reasons.Orphaned.next}`,
  };
}

function routeOf({ id, source, target }: AnyJournal): string {
  return `The transfer ${id} from ${source.namespace}/${source.name} to ${target.namespace}/${target.name}`;
}
