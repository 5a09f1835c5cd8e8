import { persistentVolumeClaims, persistentVolumes } from "../api/gen/core.ts";
import { storageTransferApprovals } from "../api/gen/transfer.ts";
import type { Journal, Outcome } from "../api/transfer/journal.ts";
import { Change } from "../kube/json-patch.ts";
import { kick, point, record, renew, retain, settle, touch } from "../rebind/rebind.ts";
import type { Hand } from "../runtime/hand.ts";
import { must } from "../runtime/must.ts";
import { claimFor } from "./claim-shape.ts";
import {
  requireConsent,
  requireLock,
  requireNoApproval,
  requireNobodyToReturnTo,
  requireNoTargetLeft,
  requireReasonToUndo,
  requireSameEnd,
  requireSource,
  requireSourceGone,
  requireTargetGone,
  requireUnchangedSource,
} from "./live.ts";
import { notesOnEnd } from "./notes.ts";
import { isUndoing, type Step } from "./rules.ts";
import { type ClaimSeen, type Kicked, keptMark, type UnderWay } from "./seen.ts";
import { approvalUsed, wholeSeconds } from "./status.ts";
import type { Claim } from "./watches.ts";

const steps: Readonly<Record<Step, (seen: UnderWay, hand: Hand) => Promise<unknown>>> = {
  async "retain-volume"({ volume }, hand) {
    return await patchVolume(volume, retain(volume), hand);
  },
  /** From here on no restore that was sent before can be stored: it tests the words of the journal. */
  async "renew-lock"({ volume, journal }, hand) {
    return await patchVolume(volume, renew(volume, { ...journal, renewed: (journal.renewed ?? 0) + 1 }), hand);
  },
  /** From here on no deletion that was sent before can meet the source: it names the version. */
  async "turn-back"({ source, journal }, hand) {
    const claim = claimIn(source);
    await hand.patch(persistentVolumeClaims, claim.metadata, touch(claim, keptMark(journal)));
  },
  /** Quota, limits and policies speak here, while nothing is destroyed yet. */
  async "reserve-target"(seen, hand) {
    const { journal, volume } = seen;
    // A cache that has not heard of our own hand-over would have it made once more, for nobody.
    await requireLock(seen, hand.live);
    try {
      await hand.create(persistentVolumeClaims, claimFor(journal, journal.target, volume.metadata.name));
    } catch (problem) {
      // One that we made unheard fills its own quota.
      await requireTargetGone(seen, hand.live);
      throw problem;
    }
  },
  /** The point of no return: both consents, the lock and the source itself are read from the server once more. */
  async "fence-source"(seen, hand) {
    await requireConsent(seen.journal, hand.live);
    await requireLock(seen, hand.live);
    const { namespace = "", name, uid } = claimIn(seen.source).metadata;
    const { resourceVersion } = (await requireUnchangedSource(seen, hand.live)).metadata;
    await hand.delete(persistentVolumeClaims, { namespace, name, uid }, { resourceVersion });
  },
  async "hand-over"(seen, hand): Promise<Kicked> {
    const { volume, journal, target, now } = seen;
    await requireSourceGone(seen, hand.live);
    const claim = claimIn(target);
    const pointed: Journal = { ...journal, target: { ...journal.target, uid: claim.metadata.uid } };
    await patchVolume(volume, point(volume, claim, pointed), hand);
    return { at: now.getTime(), times: 0 };
  },
  async "kick-binder"(seen, hand): Promise<Kicked> {
    const claim = claimIn(isUndoing(seen) ? seen.returned : seen.target);
    const times = (seen.kicked?.times ?? 0) + 1;
    await hand.patch(persistentVolumeClaims, claim.metadata, kick(claim, times));
    return { at: seen.now.getTime(), times };
  },
  /** Before the end: if the journal went with the volume, an unused approval would hand over the next claim of that name. */
  async "consume-approval"({ approval: found, journal, now }, hand) {
    const approval = must(found, "an approval");
    const used = approvalUsed(approval, { requestUID: journal.request.uid, sourceUID: journal.source.uid, now });
    const change = new Change(approval).set(["status"], used);
    await hand.patch(storageTransferApprovals, approval.metadata, change.operations, { subresource: "status" });
  },
  async "settle-volume"(seen, hand) {
    if (isRevoked(seen)) await requireNoApproval(seen.journal, hand.live);
    await end(seen, "complete", hand);
  },
  async "remove-target"(seen, hand) {
    // A source that was given up a moment ago may be seen as if nobody had touched it; then there is no way back any more.
    await requireReasonToUndo(seen, hand.live);
    if (seen.source.is === "there") await requireSource(seen, hand.live);
    const { namespace = "", name, uid, resourceVersion } = claimIn(seen.target).metadata;
    await hand.delete(persistentVolumeClaims, { namespace, name, uid }, { resourceVersion });
  },
  async "restore-volume"(seen, hand) {
    await requireReasonToUndo(seen, hand.live);
    await requireNoTargetLeft(seen, hand.live);
    if (seen.source.is === "there") await requireSource(seen, hand.live);
    await end(seen, "rolled-back", hand);
  },
  async "return-claim"(seen, hand) {
    const { journal, volume } = seen;
    await requireTargetGone(seen, hand.live);
    await hand.create(persistentVolumeClaims, claimFor(journal, journal.source, volume.metadata.name));
  },
  async "point-back"(seen, hand): Promise<Kicked> {
    const { volume, journal, returned, now } = seen;
    await requireTargetGone(seen, hand.live);
    await patchVolume(volume, point(volume, claimIn(returned), journal), hand);
    return { at: now.getTime(), times: 0 };
  },
  async "mark-orphaned"(seen, hand) {
    await requireTargetGone(seen, hand.live);
    await requireNobodyToReturnTo(seen, hand.live);
    const journal = ended(seen, "orphaned");
    await patchVolume(seen.volume, record(seen.volume, journal, "orphaned"), hand);
    for (const note of notesOnEnd(seen, journal)) hand.tell(note);
  },
  /** The same request may have begun again, and then this is the target of that transfer. */
  async "remove-late-target"(seen, hand) {
    await requireSameEnd(seen, hand.live);
    const { namespace = "", name, uid, resourceVersion } = must(seen.lateTarget, "a late target").metadata;
    await hand.delete(persistentVolumeClaims, { namespace, name, uid }, { resourceVersion });
  },
};

export async function act(step: Step, seen: UnderWay, hand: Hand): Promise<unknown> {
  return await steps[step](seen, hand);
}

async function end(seen: UnderWay, outcome: Outcome, hand: Hand): Promise<void> {
  const journal = ended(seen, outcome);
  await patchVolume(seen.volume, settle(seen.volume, journal, outcome), hand);
  for (const note of notesOnEnd(seen, journal)) hand.tell(note);
}

function ended(seen: UnderWay, outcome: Outcome): Journal {
  const isLate = outcome === "complete" && isRevoked(seen);
  return { ...seen.journal, ...(isLate ? { revokedTooLate: true } : {}), outcome, endedAt: wholeSeconds(seen.now) };
}

function isRevoked({ approval, standing }: UnderWay): boolean {
  return approval === undefined && standing === undefined;
}

async function patchVolume(volume: UnderWay["volume"], operations: Parameters<Hand["patch"]>[2], hand: Hand) {
  await hand.patch(persistentVolumes, { name: volume.metadata.name }, operations);
}

function claimIn(seen: ClaimSeen): Claim {
  return must(seen.is === "there" ? seen.claim : undefined, "a claim");
}
