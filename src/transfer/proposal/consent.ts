import type { KubeObject, Stored } from "../../api/object.ts";
import { type Journal, journalOn, type Reading } from "../../api/transfer/journal.ts";
import { idAnnotation } from "../../api/transfer/names.ts";
import { idOfMove } from "../claim-shape.ts";
import { covers, holdsUseOf, type Standing, useFor } from "../standing/uses.ts";
import type { Approval, Claim, Policy, Request, Watches } from "../watches.ts";

/** The owner's yes to a request. At most one of them. */
export interface Consent {
  /** One that says yes to this very request, and has not said yes to another. */
  readonly approval: Approval | undefined;
  /** Where the approval that it names does not exist: a policy that says yes to it. */
  readonly standing: Standing | undefined;
}

interface Asking {
  readonly request: Request;
  readonly source: Claim | undefined;
  readonly target: Claim | undefined;
  readonly targetNamespace: Stored<KubeObject> | undefined;
  readonly now: Date;
}

export function consentFor(asking: Asking, watches: Watches): Consent {
  const standing = standingFor(asking, watches);
  return { standing, approval: standing === undefined ? approvalFor(asking.request, watches) : undefined };
}

/** It has handed nothing over yet. */
export function isGood({ approval, standing }: Consent): boolean {
  return standing !== undefined || isUnused(approval);
}

/** The seed's six equalities, to the letter. */
export function matches(request: Request, approval: Approval): boolean {
  return (
    request.metadata.name === approval.spec.requestName &&
    request.metadata.namespace === approval.spec.targetNamespace &&
    request.spec.source.namespace === approval.metadata.namespace &&
    request.spec.source.name === approval.spec.source.name &&
    request.spec.source.kind === approval.spec.source.kind &&
    request.spec.approvalName === approval.metadata.name
  );
}

/** It stays, means this request, and has not been used for another one. */
export function saysYesTo(request: Request, approval: Approval): boolean {
  if (approval.metadata.deletionTimestamp !== undefined || !matches(request, approval)) return false;
  return approval.status?.consumed !== true || approval.status.requestUID === request.metadata.uid;
}

/** An approval is good for one transfer: it says itself whether it is used, and so do the journals. */
function approvalFor(request: Request, { approvals, volumes }: Watches): Approval | undefined {
  const { source, approvalName } = request.spec;
  const approval = approvals.get(`${source.namespace}/${approvalName}`);
  if (approval === undefined || !saysYesTo(request, approval)) return undefined;
  const isForUs = (requestUID: string | undefined) => requestUID === request.metadata.uid;
  const journals = volumes.by("approval", approval.metadata.uid).map(journalOn);
  const isTaken = journals.some(
    (one) => one.is === "journal" && !isRolledBack(one.journal) && !isForUs(one.journal.request.uid),
  );
  return isTaken ? undefined : approval;
}

/** A use that is reserved holds, whatever becomes of the policy's words and of its time; else the first that covers it. */
function standingFor(asking: Asking, { policies, approvals }: Watches): Standing | undefined {
  const { request, source, targetNamespace, now } = asking;
  const { namespace } = request.spec.source;
  const all = policies.by("namespace", namespace).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const [reserved] = all.flatMap((policy) => reservedIn(policy, request));
  if (reserved !== undefined) return isForWhatIsThere(reserved, asking) ? reserved : undefined;
  if (approvals.get(`${namespace}/${request.spec.approvalName}`) !== undefined) return undefined;
  if (source === undefined || targetNamespace === undefined) return undefined;
  const policy = all.find((one) => covers(one, { source, targetNamespace, now }));
  return policy === undefined ? undefined : { policy, use: undefined };
}

function reservedIn(policy: Policy, { metadata }: Request): readonly Standing[] {
  const use = policy.metadata.deletionTimestamp === undefined ? useFor(policy, metadata.uid) : undefined;
  return use === undefined ? [] : [{ policy, use }];
}

/** One request gets one claim: a use is good for the claim it was reserved for, or for the target it has moved to. */
function isForWhatIsThere({ use }: Standing, { source, target, request }: Asking): boolean {
  if (use === undefined) return false;
  const hasMoved = target?.metadata.annotations?.[idAnnotation] === idOfMove(request.metadata.uid, use.sourceUID);
  return source?.metadata.uid === use.sourceUID || hasMoved;
}

/** A volume that went back is where it was: the same request may try again. */
export function isRolledBack({ outcome }: Journal): boolean {
  return outcome === "rolled-back";
}

/** The approval behind a journal is marked as used, or the use of a policy is returned, if it is to be. */
export function isSettled(reading: Reading, { approvals, policies }: Watches): boolean {
  if (reading.is !== "journal") return true;
  const { journal } = reading;
  const { source, approval, standing } = journal;
  if (standing !== undefined) {
    const policy = policies.get(`${source.namespace}/${standing.name}`);
    const isHeld = policy?.metadata.uid === standing.uid && holdsUseOf(policy, journal);
    return !isHeld || !isRolledBack(journal);
  }
  const found = approvals.get(`${source.namespace}/${approval?.name ?? ""}`);
  return found?.metadata.uid !== approval?.uid || !isUnused(found) || isOver(journal);
}

function isUnused(approval: Approval | undefined): boolean {
  return approval !== undefined && approval.status?.consumed !== true;
}

/** Nothing was handed over by it, and its source is where it was, or is no more. */
function isOver({ outcome }: Journal): boolean {
  return outcome === "rolled-back" || outcome === "orphaned";
}
