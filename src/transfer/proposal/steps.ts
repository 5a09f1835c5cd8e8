import { defined } from "../../api/defined.ts";
import { persistentVolumeClaims, persistentVolumes } from "../../api/gen/core.ts";
import { storageTransferApprovals, storageTransferPolicies, storageTransferRequests } from "../../api/gen/transfer.ts";
import { reasons } from "../../api/reasons.ts";
import type { Journal } from "../../api/transfer/journal.ts";
import { idAnnotation, keptAnnotation } from "../../api/transfer/names.ts";
import { ApiError } from "../../kube/errors.ts";
import { Change } from "../../kube/json-patch.ts";
import { lock, touch } from "../../rebind/rebind.ts";
import type { Hand } from "../../runtime/hand.ts";
import { must, Overtaken } from "../../runtime/must.ts";
import { claimFor, hasChanged, idOfMove, shapeOf, travelling } from "../claim-shape.ts";
import { requireConsent } from "../live.ts";
import { makerOf } from "../maker.ts";
import { notesOnMove, notesOnStart } from "../notes.ts";
import { wasBoundByController } from "../seen.ts";
import { writeUses } from "../standing/steps.ts";
import { type Use, useFor, usesOf } from "../standing/uses.ts";
import { approvalUsed, statusOf } from "../status.ts";
import { saysYesTo } from "./consent.ts";
import type { Step } from "./rules.ts";
import { isRecorded, movedTarget, movingSource, type Proposed } from "./seen.ts";

const steps: Readonly<Record<Step, (seen: Proposed, hand: Hand) => Promise<unknown>>> = {
  /** Before anything else, and only if the policy is as it was seen: of many who ask at once none gets more than there is. */
  async "reserve-use"(seen, hand) {
    const { request, source, now } = seen;
    const { policy } = must(seen.standing, "a policy");
    const { name, uid } = must(source, "a source").metadata;
    const use: Use = {
      request: `${request.metadata.namespace ?? ""}/${request.metadata.name}`,
      requestUID: request.metadata.uid,
      source: name,
      sourceUID: uid,
      at: momentAfter(seen),
    };
    return await writeUses({ policy, uses: [...usesOf(policy), use], now }, hand);
  },
  /** The journal and Retain in one write. Nothing has been destroyed, and from here on nothing can be. */
  async "lock-volume"(seen, hand) {
    const volume = must(seen.volume, "a volume");
    const journal = await journalFor(seen, hand);
    await requireSourceAsSeen(journal, hand);
    const locked = await hand.patch(persistentVolumes, volume.metadata, lock(volume, journal));
    const maker = await makerOf(must(seen.source, "a source"), hand);
    for (const note of notesOnStart(seen, journal, maker)) hand.tell(note);
    return locked;
  },
  /** Without a volume there is nothing to lock: the target comes first, and the source goes only as it was seen. */
  async "make-empty-target"({ request, source }, hand) {
    const { metadata, spec } = must(source, "a source");
    const { volumeName: _, ...rest } = spec ?? {};
    return await hand.create(persistentVolumeClaims, {
      metadata: {
        namespace: request.metadata.namespace ?? "",
        name: request.spec.targetName,
        annotations: { [idAnnotation]: idOfMove(request.metadata.uid, metadata.uid) },
        ...defined({ labels: travelling(metadata.labels ?? {}) }),
      },
      spec: rest,
    });
  },
  /** No volume carries a journal of it, so the request does: should the yes be taken back too late, this is all that tells. */
  async "record-move"({ request, target, now }, hand) {
    const working = { reason: "Working", message: reasons.Working.says } as const;
    const progress = { phase: "Transferring", ...working, operation: request.metadata.uid, now } as const;
    const status = { ...statusOf(request, progress), targetUID: must(target, "a target").metadata.uid };
    const { operations } = new Change(request).set(["status"], status);
    return await hand.patch(storageTransferRequests, request.metadata, operations, { subresource: "status" });
  },
  async "remove-empty-source"(seen, hand) {
    const { metadata, spec } = seen.request;
    const target = { namespace: metadata.namespace ?? "" };
    await requireConsent({ request: metadata, ...consentIn(seen), source: spec.source, target }, hand.live);
    if (wasKept(seen)) await keepEmptyTarget(seen, hand);
    await requireTarget(seen, hand);
    const { namespace = "", name, uid, resourceVersion } = must(seen.source, "a source").metadata;
    return await hand.delete(persistentVolumeClaims, { namespace, name, uid }, { resourceVersion });
  },
  async "end-move"(seen, hand) {
    await requireNobodyApproves(seen, hand);
    const { request, now } = seen;
    const told = { reason: "RevokedTooLate", message: reasons.RevokedTooLate.says } as const;
    const progress = { phase: "Complete", ...told, hasEnded: true, operation: request.metadata.uid, now } as const;
    const status = { ...statusOf(request, progress), targetUID: must(movedTarget(seen), "a target").metadata.uid };
    const { operations } = new Change(request).set(["status"], status);
    return await hand.patch(storageTransferRequests, request.metadata, operations, { subresource: "status" });
  },
  async "remove-empty-target"(seen, hand) {
    if (seen.approval === undefined && seen.standing === undefined) await requireNobodyApproves(seen, hand);
    if (isRecorded(seen)) await keepEmptySource(seen, hand);
    const { namespace = "", name, uid, resourceVersion } = must(movedTarget(seen), "a target").metadata;
    return await hand.delete(persistentVolumeClaims, { namespace, name, uid }, { resourceVersion });
  },
  async "consume-approval"(seen, hand) {
    const approval = must(seen.approval, "an approval");
    const used = approvalUsed(approval, { requestUID: seen.request.metadata.uid, now: seen.now });
    const change = new Change(approval).set(["status"], used);
    const status = { subresource: "status" } as const;
    const left = await hand.patch(storageTransferApprovals, approval.metadata, change.operations, status);
    for (const note of notesOnMove(seen)) hand.tell(note);
    return left;
  },
  async "remove-request"({ request }, hand) {
    const { namespace = "", name, uid, resourceVersion } = request.metadata;
    return await hand.delete(storageTransferRequests, { namespace, name, uid }, { resourceVersion });
  },
};

export async function actOnProposal(step: Step, seen: Proposed, hand: Hand): Promise<unknown> {
  return await steps[step](seen, hand);
}

/** A yes that is not seen may only be late: nothing is undone, and nobody told, for want of it. */
async function requireNobodyApproves({ request }: Proposed, { live }: Hand): Promise<void> {
  const { source, approvalName } = request.spec;
  const approval = await live.find(storageTransferApprovals, { namespace: source.namespace, name: approvalName });
  if (approval !== undefined && saysYesTo(request, approval)) throw new Overtaken("the approval is there");
  for await (const { items } of live.pages(storageTransferPolicies, { namespace: source.namespace }))
    if (items.some((policy) => useFor(policy, request.metadata.uid) !== undefined))
      throw new Overtaken("the use of a policy is there");
}

/** Claims may be seen later than requests: an owner who has just kept one out must not find it locked. */
async function requireSourceAsSeen({ source, claim }: Journal, { live }: Hand): Promise<void> {
  const { namespace, name, uid } = source;
  const found = await live.find(persistentVolumeClaims, { namespace, name });
  if (found?.metadata.uid !== uid || hasChanged(found, claim)) throw new Overtaken("the source has changed");
}

/**
 * Its deletion may have been sent, and be seen late or arrive late: neither of the two claims would be left. One that is gone
 * refuses this write; one that is there has another version from now on, and a mark that differs each time (ADR 9).
 */
async function keepEmptySource(seen: Proposed, hand: Hand): Promise<void> {
  const source = must(movingSource(seen), "a source");
  const mark = `${seen.request.metadata.uid}/${source.metadata.resourceVersion}`;
  await hand.patch(persistentVolumeClaims, source.metadata, touch(source, mark));
}

function wasKept({ source, request }: Proposed): boolean {
  return source?.metadata.annotations?.[keptAnnotation]?.startsWith(`${request.metadata.uid}/`) === true;
}

/** The other way round: when the target was not wanted its deletion was sent, and now it is wanted again. */
async function keepEmptyTarget(seen: Proposed, hand: Hand): Promise<void> {
  const target = must(movedTarget(seen), "a target");
  await hand.patch(persistentVolumeClaims, target.metadata, touch(target, target.metadata.resourceVersion));
}

/** Somebody may have deleted the target a moment ago, and then neither of the two claims would be left. */
async function requireTarget(seen: Proposed, { live }: Hand): Promise<void> {
  const { namespace = "", name, uid } = must(movedTarget(seen), "a target").metadata;
  const found = await live.find(persistentVolumeClaims, { namespace, name });
  if (found?.metadata.uid !== uid || found.metadata.deletionTimestamp !== undefined)
    throw new Overtaken("the target is gone");
}

async function journalFor(seen: Proposed, hand: Hand): Promise<Journal> {
  const { request, sourceNamespace, targetNamespace, now } = seen;
  const source = must(seen.source, "a source");
  const volume = must(seen.volume, "a volume");
  const { namespace: from, name: sourceName } = request.spec.source;
  const journal: Journal = {
    v: 1,
    id: request.metadata.uid,
    volumeUID: volume.metadata.uid,
    source: {
      namespace: from,
      namespaceUID: must(sourceNamespace, "a source namespace").metadata.uid,
      name: sourceName,
      uid: source.metadata.uid,
    },
    target: {
      namespace: request.metadata.namespace ?? "",
      namespaceUID: must(targetNamespace, "a target namespace").metadata.uid,
      name: request.spec.targetName,
    },
    request: { name: request.metadata.name, uid: request.metadata.uid },
    ...consentIn(seen),
    policy: volume.spec?.persistentVolumeReclaimPolicy ?? "Retain",
    boundByController: wasBoundByController(volume),
    claim: shapeOf(source, volume),
    startedAt: now.toISOString(),
  };
  const isLast = from === journal.target.namespace && !(await hasRoomForBoth(journal, volume.metadata.name, hand));
  return isLast ? { ...journal, targetLast: true } : journal;
}

/** It tells one reservation from the next, so it is never that of the transfer before, whatever a clock says. */
function momentAfter({ reading, now }: Proposed): string {
  const before = reading.is === "journal" ? Date.parse(reading.journal.standing?.at ?? "") : Number.NaN;
  return new Date(Number.isNaN(before) ? now : Math.max(now.getTime(), before + 1)).toISOString();
}

/** The owner's yes, as it is written down. */
function consentIn({ approval, standing }: Proposed): Pick<Journal, "approval" | "standing"> {
  if (approval !== undefined) return { approval: { name: approval.metadata.name, uid: approval.metadata.uid } };
  const { policy, use } = must(standing, "an approval");
  return { standing: { name: policy.metadata.name, uid: policy.metadata.uid, at: must(use, "a use").at } };
}

/** Within one namespace both claims count against the same quota for a moment. */
async function hasRoomForBoth(journal: Journal, volumeName: string, hand: Hand): Promise<boolean> {
  try {
    await hand.preview(persistentVolumeClaims, claimFor(journal, journal.target, volumeName));
    return true;
  } catch (problem) {
    if (problem instanceof ApiError && problem.isQuotaExceeded) return false;
    throw problem;
  }
}
