import {
  namespaces,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../api/gen/core.ts";
import { storageClasses, type VolumeAttachment, volumeAttachments } from "../api/gen/storage.ts";
import {
  type StorageTransferApproval,
  type StorageTransferPolicy,
  type StorageTransferRequest,
  storageTransferApprovals,
  storageTransferPolicies,
  storageTransferRequests,
} from "../api/gen/transfer.ts";
import type { Stored } from "../api/object.ts";
import { anyJournalOn, journalOn } from "../api/transfer/journal.ts";
import { holdFinalizer } from "../api/transfer/names.ts";
import { giveOn } from "../api/transfer/wish.ts";
import { bare } from "../runtime/bare.ts";
import type { Sources } from "../runtime/sources.ts";

/** Everything a transfer looks at. Pods are not among it: they are watched in one namespace at a time, while one waits. */
export function transferWatches(sources: Sources) {
  return {
    claims: sources.watch(persistentVolumeClaims, {
      project: bare<PersistentVolumeClaim>,
      indexes: { giver: givingFrom, taker: givingTo },
    }).cache,
    volumes: sources.watch(persistentVolumes, {
      project: bare<PersistentVolume>,
      indexes: {
        request: (volume) => uidsIn(volume, ({ request }) => request.uid),
        approval: (volume) => uidsIn(volume, ({ approval }) => approval?.uid),
        policy: (volume) => uidsIn(volume, ({ standing }) => standing?.uid),
        source: (volume) => [anyJournalOn(volume)?.source.uid].filter((uid) => uid !== undefined),
        claim: (volume) => placesIn(volume),
        namespace: (volume) => placesIn(volume).map((place) => place.slice(0, place.indexOf("/"))),
        given: (volume) => givesIn(volume),
        /** By the giving namespace: those that are handed over, and those whose source is gone and that wait for it. */
        handed: (volume) => (pointsAtSource(volume) ? [] : givesIn(volume)),
        released: (volume) => (isReleased(volume) && pointsAtSource(volume) ? givesIn(volume) : []),
        live: (volume) => uidsIn(volume, ({ id, outcome }) => (outcome === undefined ? id : undefined)),
      },
    }).cache,
    requests: sources.watch(storageTransferRequests, {
      project: bare<StorageTransferRequest>,
      indexes: {
        approval: ({ spec }) => [`${spec.source.namespace}/${spec.approvalName}`],
        source: ({ spec }) => [`${spec.source.namespace}/${spec.source.name}`],
        target: ({ metadata, spec }) => [`${metadata.namespace ?? ""}/${spec.targetName}`],
        namespace: ({ metadata, spec }) => [metadata.namespace ?? "", spec.source.namespace],
      },
    }).cache,
    approvals: sources.watch(storageTransferApprovals, { project: bare<StorageTransferApproval> }).cache,
    policies: sources.watch(storageTransferPolicies, {
      project: bare<StorageTransferPolicy>,
      indexes: {
        namespace: ({ metadata }) => [metadata.namespace ?? ""],
        request: ({ status }) => (status?.uses ?? []).map(({ requestUID }) => requestUID),
        source: ({ status }) => (status?.uses ?? []).map(({ sourceUID }) => sourceUID),
      },
    }).cache,
    attachments: sources.watch(volumeAttachments, {
      project: bare<VolumeAttachment>,
      indexes: { volume: ({ spec }) => [spec.source.persistentVolumeName ?? ""] },
    }).cache,
    classes: sources.watch(storageClasses, { project: bare }).cache,
    namespaces: sources.watch(namespaces, { project: bare }).cache,
  };
}

export type Watches = ReturnType<typeof transferWatches>;
export type Claim = Stored<PersistentVolumeClaim>;
export type Volume = Stored<PersistentVolume>;
export type Request = Stored<StorageTransferRequest>;
export type Approval = Stored<StorageTransferApproval>;
export type Policy = Stored<StorageTransferPolicy>;

type Uids = Extract<ReturnType<typeof journalOn>, { readonly is: "journal" }>["journal"];

function uidsIn(volume: Volume, pick: (journal: Uids) => string | undefined): readonly string[] {
  const reading = journalOn(volume);
  const uid = reading.is === "journal" ? pick(reading.journal) : undefined;
  return uid === undefined ? [] : [uid];
}

/** Both ends of a journaled volume: a change of either claim is news for it. */
export function placesIn(volume: Volume): readonly string[] {
  const journal = anyJournalOn(volume);
  if (journal === undefined) return [];
  const { source, target } = journal;
  return [`${source.namespace}/${source.name}`, `${target.namespace}/${target.name}`];
}

/** The namespace of a claim that is given away, or held for it. */
function givingFrom(claim: Claim): readonly string[] {
  const isHeld = claim.metadata.finalizers?.includes(holdFinalizer) === true;
  return isHeld || giveOn(claim).is !== "none" ? [claim.metadata.namespace ?? ""] : [];
}

function givingTo(claim: Claim): readonly string[] {
  const wish = giveOn(claim);
  return wish.is === "clear" ? [wish.namespace] : [];
}

/** The namespace whose give waits for somebody. */
function givesIn(volume: Volume): readonly string[] {
  const reading = journalOn(volume);
  return reading.is === "give" && reading.journal.outcome === undefined ? [reading.journal.source.namespace] : [];
}

/** Its claim is gone, and the binder has not bound it to another one. */
function isReleased({ status }: Volume): boolean {
  return status?.phase === "Released";
}

function pointsAtSource(volume: Volume): boolean {
  return volume.spec?.claimRef?.uid === anyJournalOn(volume)?.source.uid;
}

/** The key of a claim, a request or an approval. */
export function keyOf({
  metadata,
}: {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

/** The key of the claim that a volume points at. */
export function claimOf({ spec }: Volume): string {
  return `${spec?.claimRef?.namespace ?? ""}/${spec?.claimRef?.name ?? ""}`;
}
