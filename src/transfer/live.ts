import { namespaces, persistentVolumeClaims, persistentVolumes } from "../api/gen/core.ts";
import { storageTransferApprovals, storageTransferPolicies, storageTransferRequests } from "../api/gen/transfer.ts";
import { type Journal, journalOn } from "../api/transfer/journal.ts";
import { journalAnnotation } from "../api/transfer/names.ts";
import type { Hand } from "../runtime/hand.ts";
import { Overtaken } from "../runtime/must.ts";
import { hasChanged } from "./claim-shape.ts";
import { isConsented } from "./rules.ts";
import { byUid, isReturned, isTarget, type UnderWay } from "./seen.ts";
import { isAtWork, isWaiting } from "./standing/seen.ts";
import { holdsUseOf, type Use } from "./standing/uses.ts";
import type { Approval, Claim, Policy, Volume } from "./watches.ts";

/** A cache may be late. What must be true right before something cannot be undone is read from the server itself. */
type Live = Hand["live"];
type Asked = Pick<Journal, "request" | "approval" | "standing"> & {
  readonly source: Pick<Journal["source"], "namespace">;
  readonly target: Pick<Journal["target"], "namespace">;
};

/** Both consents stand, and this approval has handed nothing over yet. */
export async function requireConsent(journal: Asked, live: Live): Promise<void> {
  const { request, target } = journal;
  const asked = await live.find(storageTransferRequests, { namespace: target.namespace, name: request.name });
  if (byUid(asked, request.uid) === undefined) throw new Overtaken("the request was withdrawn");
  if (!(await isApproved(journal, live))) throw new Overtaken("the approval was withdrawn or used");
}

/** Where both consents stand and only were not seen, nothing is undone for want of them. */
export async function requireReasonToUndo(seen: UnderWay, live: Live): Promise<void> {
  if (seen.source.is !== "there" || isConsented(seen)) return;
  const isWithdrawn = await requireConsent(seen.journal, live).then(
    () => false,
    (problem: unknown) => {
      if (problem instanceof Overtaken) return true;
      throw problem;
    },
  );
  if (!isWithdrawn) throw new Overtaken("both consents are there");
}

/** One that is not seen may only be late, and would be good for another transfer. */
export async function requireNoApproval(journal: Journal, live: Live): Promise<void> {
  const { approval, source } = journal;
  const key = { namespace: source.namespace, name: approval?.name ?? "" };
  const found =
    approval === undefined ? undefined : byUid(await live.find(storageTransferApprovals, key), approval.uid);
  // One that is used was used for this very transfer, and is not withdrawn.
  const isThere = found !== undefined && found.metadata.deletionTimestamp === undefined;
  if (isThere || (await isApproved(journal, live))) throw new Overtaken("the approval is there");
}

/** By an approval that is not used, or by the use of a policy that was reserved for this very transfer. */
async function isApproved(journal: Asked, live: Live): Promise<boolean> {
  const { approval, standing, source } = journal;
  const { namespace } = source;
  if (approval !== undefined)
    return isFresh(byUid(await live.find(storageTransferApprovals, { namespace, name: approval.name }), approval.uid));
  if (standing === undefined) return false;
  const policy = await live.find(storageTransferPolicies, { namespace, name: standing.name });
  return byUid(policy, standing.uid) !== undefined && policy !== undefined && holdsUseOf(policy, journal);
}

/** Nobody waits for it, and the source is where it was, with a volume that is not on its way. */
export async function requireIdleUse({ metadata }: Policy, use: Use, live: Live): Promise<void> {
  const [namespace = "", name = ""] = use.request.split("/");
  if (isWaiting(await live.find(storageTransferRequests, { namespace, name }), use))
    throw new Overtaken("the request waits for it");
  const source = await live.find(persistentVolumeClaims, { namespace: metadata.namespace ?? "", name: use.source });
  if (source?.metadata.uid !== use.sourceUID) throw new Overtaken("the source is gone");
  const { volumeName = "" } = source.spec ?? {};
  const volume = volumeName === "" ? undefined : await live.find(persistentVolumes, { name: volumeName });
  if (volume !== undefined && isOnItsWay(volume, use)) throw new Overtaken("the volume is on its way");
}

function isOnItsWay(volume: Volume, use: Use): boolean {
  const reading = journalOn(volume);
  return reading.is === "journal" && isAtWork(reading.journal, use);
}

function isFresh(approval: Approval | undefined): boolean {
  return approval !== undefined && approval.status?.consumed !== true;
}

/**
 * The volume is retained under this very journal. A cache that has not heard of our own last write may still show a lock
 * that is gone: a source that is deleted then takes its volume with it.
 */
export async function requireLock({ journal, volume }: UnderWay, live: Live): Promise<void> {
  const found = await live.find(persistentVolumes, { name: volume.metadata.name });
  const isOurs = found !== undefined && found.metadata.uid === journal.volumeUID && isSameJournal(found, volume);
  const isKept = found?.spec?.persistentVolumeReclaimPolicy === "Retain";
  if (!isOurs || !isKept) throw new Overtaken("the volume is not locked any more");
}

/** What has ended stays so only until the next transfer of the volume begins. */
export async function requireSameEnd({ journal, volume, lateTarget }: UnderWay, live: Live): Promise<void> {
  const found = await live.find(persistentVolumes, { name: volume.metadata.name });
  const isOurs = found !== undefined && found.metadata.uid === journal.volumeUID && isSameJournal(found, volume);
  const isItsOwn = found?.spec?.claimRef?.uid === lateTarget?.metadata.uid;
  if (!isOurs || isItsOwn) throw new Overtaken("the volume is used anew");
}

function isSameJournal(one: Volume, other: Volume): boolean {
  return one.metadata.annotations?.[journalAnnotation] === other.metadata.annotations?.[journalAnnotation];
}

/** A claim that loses its volume while it lives is lost. */
export async function requireSourceGone({ journal }: UnderWay, live: Live): Promise<void> {
  const { namespace, name, uid } = journal.source;
  const found = await live.find(persistentVolumeClaims, { namespace, name });
  if (found?.metadata.uid === uid) throw new Overtaken("the source is still there");
}

/** The very claim, and nobody has deleted it: a second DELETE after a lost answer would only be one more. */
export async function requireSource({ journal }: UnderWay, live: Live): Promise<Claim> {
  const { namespace, name, uid } = journal.source;
  const found = await live.find(persistentVolumeClaims, { namespace, name });
  if (found?.metadata.uid !== uid) throw new Overtaken("the source is another claim now");
  if (found.metadata.deletionTimestamp !== undefined) throw new Overtaken("the source is on its way out");
  return found;
}

/** And as it was when it was agreed to: what it asks for since would be lost with it. */
export async function requireUnchangedSource(seen: UnderWay, live: Live): Promise<Claim> {
  const found = await requireSource(seen, live);
  if (hasChanged(found, seen.journal.claim)) throw new Overtaken("the source has changed");
  return found;
}

/** A volume goes back, or is given up, only when the target has really gone. */
export async function requireTargetGone({ journal, volume }: UnderWay, live: Live): Promise<void> {
  const { namespace, name } = journal.target;
  const found = await live.find(persistentVolumeClaims, { namespace, name });
  if (found !== undefined && isTarget(journal, volume)(found)) throw new Overtaken("the target is there");
}

/** One whose making was never answered may not be seen yet; when the journal has ended, nobody would take it away. */
export async function requireNoTargetLeft({ journal, volume }: UnderWay, live: Live): Promise<void> {
  const { namespace, name } = journal.target;
  const found = await live.find(persistentVolumeClaims, { namespace, name });
  if (found === undefined || found.metadata.deletionTimestamp !== undefined) return;
  if (isTarget(journal, volume)(found)) throw new Overtaken("a target is left over");
}

/** Nobody can get it back: the namespace is gone or going, or its name there belongs to another claim. */
export async function requireNobodyToReturnTo({ journal, volume }: UnderWay, live: Live): Promise<void> {
  const { namespace, namespaceUID, name } = journal.source;
  const home = await live.find(namespaces, { name: namespace });
  if (home?.metadata.uid !== namespaceUID || home.metadata.deletionTimestamp !== undefined) return;
  const found = await live.find(persistentVolumeClaims, { namespace, name });
  if (found === undefined || isReturned(journal, volume)(found)) throw new Overtaken("the source can come back");
}
