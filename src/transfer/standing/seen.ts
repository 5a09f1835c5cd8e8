import { anyJournalOn, type Journal, journalOn } from "../../api/transfer/journal.ts";
import type { Look } from "../../runtime/reconciler.ts";
import { byUid } from "../seen.ts";
import type { Policy, Request, Volume, Watches } from "../watches.ts";
import { type Use, usesOf } from "./uses.ts";

/** A policy, and what has become of its uses. */
export interface SeenPolicy {
  readonly policy: Policy;
  /** Uses by which nothing was handed over, and by which nothing will be. */
  readonly inVain: readonly Vain[];
  readonly now: Date;
}

export interface Vain {
  readonly use: Use;
  /** A journal that has ended says so, and always will. */
  readonly isProven: boolean;
}

export function observePolicy(watches: Watches, key: string, { now }: Look): SeenPolicy | undefined {
  const policy = watches.policies.get(key);
  if (policy === undefined || policy.metadata.deletionTimestamp !== undefined) return undefined;
  return { policy, inVain: usesOf(policy).flatMap((use) => vanity(use, policy, watches)), now };
}

/**
 * Only on proof: that a journal is not there proves nothing, because it goes with its volume. Either the transfer was undone,
 * or the source went another way, or nobody waits for it any more and the source is still there.
 */
function vanity(use: Use, policy: Policy, watches: Watches): readonly Vain[] {
  const journals = journalsIn(watches.volumes.by("request", use.requestUID));
  const own = journals.filter((journal) => isOf(journal, use, policy));
  if (own.length > 0) return own.every(({ outcome }) => outcome === "rolled-back") ? [{ use, isProven: true }] : [];
  if (watches.volumes.by("source", use.sourceUID).some(isGiven)) return [{ use, isProven: true }];
  const isIdle = !journals.some((journal) => isAtWork(journal, use));
  const isLeft = isIdle && !isWaiting(watches.requests.get(use.request), use) && sourceIsThere(use, policy, watches);
  return isLeft ? [{ use, isProven: false }] : [];
}

function journalsIn(volumes: readonly Volume[]): readonly Journal[] {
  return volumes.map(journalOn).flatMap((reading) => (reading.is === "journal" ? [reading.journal] : []));
}

function isOf({ request, standing }: Journal, use: Use, { metadata: { uid } }: Policy): boolean {
  return request.uid === use.requestUID && standing?.uid === uid && standing.at === use.at;
}

/** Whatever it was that let it begin. */
export function isAtWork({ request, outcome }: Journal, use: Use): boolean {
  return outcome === undefined && request.uid === use.requestUID;
}

/** A claim is given away once, to whomever, by whichever consent and through whichever door. */
function isGiven(volume: Volume): boolean {
  const outcome = anyJournalOn(volume)?.outcome;
  return outcome === "complete" || outcome === "orphaned";
}

/** It is the one that the use was reserved for, and it has not ended. */
export function isWaiting(found: Request | undefined, { requestUID }: Use): boolean {
  const request = byUid(found, requestUID);
  return request !== undefined && request.status?.completionTime === undefined;
}

function sourceIsThere(use: Use, { metadata }: Policy, { claims }: Watches): boolean {
  return claims.get(`${metadata.namespace ?? ""}/${use.source}`)?.metadata.uid === use.sourceUID;
}
