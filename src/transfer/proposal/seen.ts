import type { StorageClass, VolumeAttachment } from "../../api/gen/storage.ts";
import type { KubeObject, Stored } from "../../api/object.ts";
import { type Journal, journalOn, type Reading } from "../../api/transfer/journal.ts";
import { idAnnotation } from "../../api/transfer/names.ts";
import type { Look } from "../../runtime/reconciler.ts";
import { idOfMove } from "../claim-shape.ts";
import type { PodSeen, PodWatch } from "../pod-watch.ts";
import type { Claim, Request, Volume, Watches } from "../watches.ts";
import { type Consent, consentFor, isGood, isRolledBack, isSettled } from "./consent.ts";

/** A request, and everything that decides whether its transfer may begin. */
export interface Proposed extends Consent {
  readonly request: Request;
  /** The journal of this request's transfer, unless it was rolled back. */
  readonly journal: Journal | undefined;
  readonly source: Claim | undefined;
  readonly volume: Volume | undefined;
  /** Whatever journal the volume carries. */
  readonly reading: Reading;
  /** The approval behind a journal that has ended is marked as used, and the use of a policy is returned if it is to be. */
  readonly lastConsentIsSettled: boolean;
  readonly storageClass: Stored<StorageClass> | undefined;
  readonly target: Claim | undefined;
  /** Those that stay. */
  readonly sourceNamespace: Stored<KubeObject> | undefined;
  readonly targetNamespace: Stored<KubeObject> | undefined;
  readonly users: readonly PodSeen[];
  readonly attachments: readonly Stored<VolumeAttachment>[];
  readonly transfersAreOn: boolean;
  readonly now: Date;
}

export async function observeProposal(
  watches: Watches,
  podWatch: PodWatch,
  transfersAreOn: boolean,
  key: string,
  { now }: Look,
): Promise<Proposed | undefined> {
  const request = watches.requests.get(key);
  const holder = holderOf(key);
  if (request === undefined) {
    podWatch.release(holder);
    return undefined;
  }
  const { source: wanted, targetName } = request.spec;
  const { namespace: home = "" } = request.metadata;
  const source = watches.claims.get(`${wanted.namespace}/${wanted.name}`);
  const volume = watches.volumes.get(source?.spec?.volumeName ?? "");
  const target = watches.claims.get(`${home}/${targetName}`);
  const targetNamespace = livingNamespace(watches, home);
  const consent = consentFor({ request, source, target, targetNamespace, now }, watches);
  const reading: Reading = volume === undefined ? { is: "none" } : journalOn(volume);
  return {
    request,
    ...consent,
    journal: journalFor(request, watches),
    source,
    volume,
    reading,
    lastConsentIsSettled: isSettled(reading, watches),
    storageClass: watches.classes.get(source?.spec?.storageClassName ?? ""),
    target,
    sourceNamespace: livingNamespace(watches, wanted.namespace),
    targetNamespace,
    users: await usersOf(source, isGood(consent), podWatch, holder),
    attachments: volume === undefined ? [] : watches.attachments.by("volume", volume.metadata.name),
    transfersAreOn,
    now,
  };
}

export function holderOf(key: string): string {
  return `request ${key}`;
}

function journalFor({ metadata: { uid } }: Request, { volumes }: Watches): Journal | undefined {
  const found = volumes.by("request", uid).map(journalOn);
  return found.flatMap((one) => (one.is === "journal" && !isRolledBack(one.journal) ? [one.journal] : []))[0];
}

export function livingNamespace({ namespaces }: Watches, name: string): Stored<KubeObject> | undefined {
  const found = namespaces.get(name);
  return found?.metadata.deletionTimestamp === undefined ? found : undefined;
}

/** Before it is approved, nobody looks at the pods of another namespace. */
async function usersOf(
  source: Claim | undefined,
  isApproved: boolean,
  podWatch: PodWatch,
  holder: string,
): Promise<readonly PodSeen[]> {
  const { namespace = "", name } = source?.metadata ?? { name: "" };
  if (source !== undefined && isApproved) return await podWatch.usersOf(namespace, name, holder);
  podWatch.release(holder);
  return [];
}

/** The claim that was made for this request to move an empty source. */
export function movedTarget({ target, request }: Proposed): Claim | undefined {
  const isMove = request.spec.options?.whenUnbound === "Move";
  const isMarked = target?.metadata.annotations?.[idAnnotation]?.startsWith(idOfMove(request.metadata.uid, ""));
  return isMove && isMarked === true ? target : undefined;
}

/** The very claim that moves, by its uid: a namesake that came later is not given up for it. */
export function movingSource(s: Proposed): Claim | undefined {
  const id = movedTarget(s)?.metadata.annotations?.[idAnnotation];
  return s.source !== undefined && id === idOfMove(s.request.metadata.uid, s.source.metadata.uid)
    ? s.source
    : undefined;
}

/** Written on the request before the empty source goes: nobody but us writes there, and a target may be planted. */
export function isRecorded(s: Proposed): boolean {
  const { operation, targetUID } = s.request.status ?? {};
  return operation === s.request.metadata.uid && targetUID === movedTarget(s)?.metadata.uid;
}

/** The yes was taken back when the empty source had been given up already. */
export function movedTooEarly(s: Proposed): boolean {
  const isApproved = s.approval !== undefined || s.standing !== undefined;
  return !isApproved && isRecorded(s) && movedTarget(s) !== undefined && movingSource(s) === undefined;
}

/** By a policy there is nothing left to be marked as used: an empty claim that has gone over is the end. */
export function movedByUse(s: Proposed): boolean {
  const id = movedTarget(s)?.metadata.annotations?.[idAnnotation];
  const { use } = s.standing ?? {};
  const isOurs = use !== undefined && id === idOfMove(s.request.metadata.uid, use.sourceUID);
  return isOurs && s.source?.metadata.uid !== use.sourceUID;
}

/** By a policy it was given back after it had been given up: as another claim, and whoever wants it asks again. */
export function cameBackByUse({ reading, request, source, volume }: Proposed): boolean {
  if (reading.is !== "journal" || reading.journal.standing === undefined) return false;
  const { outcome, request: asked, source: given } = reading.journal;
  const isOurs = outcome === "rolled-back" && asked.uid === request.metadata.uid;
  // Anybody may write a volume's name into a claim.
  const isOwner = source !== undefined && volume?.spec?.claimRef?.uid === source.metadata.uid;
  return isOurs && isOwner && given.uid !== source.metadata.uid;
}
