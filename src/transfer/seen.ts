import type { VolumeAttachment } from "../api/gen/storage.ts";
import type { Stored } from "../api/object.ts";
import { type AnyJournal, type Journal, journalOn, type Party } from "../api/transfer/journal.ts";
import { boundByController, keptAnnotation } from "../api/transfer/names.ts";
import type { Look } from "../runtime/reconciler.ts";
import { isClaimFor } from "./claim-shape.ts";
import type { PodSeen, PodWatch } from "./pod-watch.ts";
import { holdsUseOf } from "./standing/uses.ts";
import type { Approval, Claim, Policy, Request, Volume, Watches } from "./watches.ts";

/** One end of a transfer, as it is now. */
export type ClaimSeen =
  | { readonly is: "missing" }
  /** Somebody else's claim under the name. */
  | { readonly is: "foreign"; readonly claim: Claim }
  | { readonly is: "there"; readonly claim: Claim; readonly isLeaving: boolean; readonly isBound: boolean };

/** A journaled volume, and everything its transfer depends on. */
export interface UnderWay {
  readonly volume: Volume;
  readonly journal: Journal;
  /** The claim that gives the volume up, by its uid. */
  readonly source: ClaimSeen;
  /** A claim of ours under the source's name, made to give the volume back. */
  readonly returned: ClaimSeen;
  readonly target: ClaimSeen;
  readonly lateTarget: Claim | undefined;
  readonly request: Request | undefined;
  readonly approval: Approval | undefined;
  /** The policy it began by, as long as it holds the use that was reserved for it. */
  readonly standing: Policy | undefined;
  /** Whether the namespaces are still the ones that were consented to, and stay. */
  readonly sourceNamespaceStays: boolean;
  readonly targetNamespaceStays: boolean;
  /** Pods that keep the source from going. */
  readonly users: readonly PodSeen[];
  readonly attachments: readonly Stored<VolumeAttachment>[];
  /** When the binder was last told to look, and how often; unknown after a restart. */
  readonly kicked: Kicked | undefined;
  readonly now: Date;
}

export interface Kicked {
  readonly at: number;
  readonly times: number;
}

export async function observeUnderWay(
  watches: Watches,
  podWatch: PodWatch,
  key: string,
  { now, reply }: Look,
): Promise<UnderWay | undefined> {
  const volume = watches.volumes.get(volumeIn(key));
  const reading = volume === undefined ? undefined : journalOn(volume);
  if (volume === undefined || reading?.is !== "journal") return undefined;
  const { journal } = reading;
  // Its last transfer came from another namespace: two keys for one volume would be two workers on it.
  if (keyOfTransfer(volume, journal) !== key) return undefined;
  const named = claimAt(watches, journal.source);
  const source = sourceSeen(named, volume, journal);
  const atTarget = claimAt(watches, journal.target);
  return {
    volume,
    journal,
    source,
    returned: source.is === "there" ? { is: "missing" } : claimSeen(named, volume, isReturned(journal, volume)),
    target: claimSeen(atTarget, volume, isTarget(journal, volume)),
    lateTarget: lateTarget(atTarget, volume, journal),
    request: byUid(watches.requests.get(`${journal.target.namespace}/${journal.request.name}`), journal.request.uid),
    approval: approvalOf(journal, watches),
    standing: standingOf(journal, watches),
    sourceNamespaceStays: stays(watches, journal.source),
    targetNamespaceStays: stays(watches, journal.target),
    users: await usersOf(source, journal, podWatch, key),
    attachments: watches.attachments.by("volume", volume.metadata.name),
    kicked: reply as Kicked | undefined,
    now,
  };
}

function approvalOf({ source, approval }: Journal, { approvals }: Watches): Approval | undefined {
  if (approval === undefined) return undefined;
  return byUid(approvals.get(`${source.namespace}/${approval.name}`), approval.uid);
}

function standingOf(journal: Journal, { policies }: Watches): Policy | undefined {
  const { source, standing } = journal;
  if (standing === undefined) return undefined;
  const policy = byUid(policies.get(`${source.namespace}/${standing.name}`), standing.uid);
  return policy !== undefined && holdsUseOf(policy, journal) ? policy : undefined;
}

/** Of this journal and no other: what a source carries that is to keep its volume. */
export function keptMark({ startedAt, renewed = 0 }: AnyJournal): string {
  return `${startedAt}/${renewed}`;
}

/** A way back may have been sent under this journal, and may still arrive. */
export function isTurned({ metadata }: Claim, journal: AnyJournal): boolean {
  return metadata.annotations?.[keptAnnotation] === keptMark(journal);
}

/** A tenant's transfers wait for each other, not for those of other tenants: the key begins with the giving namespace. */
export function keyOfTransfer({ metadata }: Volume, { source }: AnyJournal): string {
  return `${source.namespace}/${metadata.name}`;
}

export function volumeIn(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}

async function usersOf(
  source: ClaimSeen,
  journal: Journal,
  podWatch: PodWatch,
  key: string,
): Promise<readonly PodSeen[]> {
  if (source.is === "there" && journal.outcome === undefined)
    return await podWatch.usersOf(journal.source.namespace, journal.source.name, key);
  podWatch.release(key);
  return [];
}

function claimAt({ claims }: Watches, { namespace, name }: Party): Claim | undefined {
  return claims.get(`${namespace}/${name}`);
}

function sourceSeen(found: Claim | undefined, volume: Volume, { source }: Journal): ClaimSeen {
  return claimSeen(found, volume, ({ metadata: { uid } }) => uid === source.uid);
}

type IsOurs = (found: Claim) => boolean;

/**
 * Until the volume points at it, it is what we would have written. From then on it is the one with that uid: its user may
 * let it grow, and it is still the one; a namesake is not, whatever it looks like.
 */
export function isTarget(journal: Journal, { metadata: { name } }: Volume): IsOurs {
  const { uid } = journal.target;
  return (found) => (uid === undefined ? isClaimFor(found, journal, name) : found.metadata.uid === uid);
}

/** The same of a claim that was made to give the volume back. */
export function isReturned(journal: Journal, { metadata: { name }, spec }: Volume): IsOurs {
  return (found) => found.metadata.uid === spec?.claimRef?.uid || isClaimFor(found, journal, name);
}

/**
 * What we sent may be stored long after we gave it up, even when everything is undone. Nobody would ask for it any more, it
 * would never get the volume that it names, and it would stand in the way under its name.
 */
export function lateTarget(found: Claim | undefined, volume: Volume, journal: Journal): Claim | undefined {
  if (found === undefined || journal.outcome !== "rolled-back") return undefined;
  const isLate = isClaimFor(found, journal, volume.metadata.name) && volume.spec?.claimRef?.uid !== found.metadata.uid;
  return isLate && found.metadata.deletionTimestamp === undefined ? found : undefined;
}

function claimSeen(claim: Claim | undefined, volume: Volume, isOurs: IsOurs): ClaimSeen {
  if (claim === undefined) return { is: "missing" };
  if (!isOurs(claim)) return { is: "foreign", claim };
  return {
    is: "there",
    claim,
    isLeaving: claim.metadata.deletionTimestamp !== undefined,
    isBound: isBoundTo(claim, volume),
  };
}

/** In both directions and by uid: a phase alone may belong to another volume. */
export function isBoundTo(claim: Claim, volume: Volume): boolean {
  return (
    claim.status?.phase === "Bound" &&
    claim.spec?.volumeName === volume.metadata.name &&
    volume.spec?.claimRef?.uid === claim.metadata.uid &&
    volume.status?.phase === "Bound"
  );
}

/** A consent that is being deleted is withdrawn, whatever still holds it. */
export function byUid<T extends Request | Approval | Policy>(object: T | undefined, uid: string): T | undefined {
  return object?.metadata.uid === uid && object.metadata.deletionTimestamp === undefined ? object : undefined;
}

/** A namespace that was deleted and made again by somebody else is another one. */
export function stays({ namespaces }: Watches, { namespace, namespaceUID }: Party): boolean {
  const found = namespaces.get(namespace);
  return found?.metadata.uid === namespaceUID && found.metadata.deletionTimestamp === undefined;
}

export function wasBoundByController({ metadata }: Volume): boolean {
  return metadata.annotations?.[boundByController] !== undefined;
}
