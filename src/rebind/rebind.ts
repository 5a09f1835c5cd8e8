import type { PersistentVolume, PersistentVolumeClaim } from "../api/gen/core.ts";
import type { Stored } from "../api/object.ts";
import { type AnyJournal, journalText } from "../api/transfer/journal.ts";
import {
  boundByController,
  journalAnnotation,
  keptAnnotation,
  kickAnnotation,
  seedMarks,
} from "../api/transfer/names.ts";
import { Change, type Operation } from "../kube/json-patch.ts";

type Volume = Stored<PersistentVolume>;
type Claim = Stored<PersistentVolumeClaim>;

const policyPath = ["spec", "persistentVolumeReclaimPolicy"] as const;

/**
 * The four things that are ever done to a volume on its way from one claim to another. Each is one patch that holds
 * only while the volume is the same one, points at the same claim and carries the same journal as when we looked;
 * other writers (binder, provisioner) may have moved its version on.
 */
function changing(volume: Volume): Change<PersistentVolume> {
  return new Change(volume, { anyVersion: true })
    .expecting(["spec", "claimRef", "uid"])
    .expecting(["metadata", "annotations", journalAnnotation]);
}

/** The journal and Retain in one write: from here on nobody destroys the volume, whatever happens to its claims. */
export function lock(volume: Volume, journal: AnyJournal): readonly Operation[] {
  const { source, target } = journal;
  return (
    changing(volume)
      .set(["metadata", "annotations", journalAnnotation], journalText(journal))
      .set(["metadata", "annotations", seedMarks.status], "pending")
      .set(["metadata", "annotations", seedMarks.source], `${source.namespace}/${source.name}`)
      .set(["metadata", "annotations", seedMarks.destination], `${target.namespace}/${target.name}`)
      // With this mark the binder would empty claimRef when the claim goes, and anybody could take the volume.
      .remove(["metadata", "annotations", boundByController])
      .set(policyPath, "Retain").operations
  );
}

/** The same lock in other words: a patch from before, which tests them, is refused from now on. */
export function renew(volume: Volume, journal: AnyJournal): readonly Operation[] {
  return changing(volume).set(["metadata", "annotations", journalAnnotation], journalText(journal)).operations;
}

/** Somebody has set another policy in the middle of a transfer. */
export function retain(volume: Volume): readonly Operation[] {
  return changing(volume).set(policyPath, "Retain").operations;
}

/** The volume is for this very claim: by its uid, so that no namesake gets it. */
export function point(volume: Volume, claim: Claim, journal: AnyJournal): readonly Operation[] {
  const { namespace = "", name, uid } = claim.metadata;
  const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid };
  return changing(volume)
    .set(["spec", "claimRef"], claimRef)
    .set(["metadata", "annotations", journalAnnotation], journalText(journal)).operations;
}

/** Any write moves its version on; a deletion that was sent before and names the old version is refused from now on. */
export function touch(claim: Claim, mark: string): readonly Operation[] {
  return new Change(claim, { anyVersion: true }).set(["metadata", "annotations", keptAnnotation], mark).operations;
}

/**
 * A claim that nothing holds gets the volume's name, once the volume is for it and nobody can take that back: it can never be
 * unset. The write is a kick at the same time.
 */
export function name(claim: Claim, volume: Volume): readonly Operation[] {
  return new Change(claim).set(["spec", "volumeName"], volume.metadata.name).operations;
}

/** Any write makes the binder look at a claim; without it a claim that names its volume waits for the next round. */
export function kick(claim: Claim, kicks: number): readonly Operation[] {
  return new Change(claim, { anyVersion: true }).set(["metadata", "annotations", kickAnnotation], String(kicks))
    .operations;
}

/** The end: the policy is as it was, and the journal says how it went. Only on a volume that is bound as it should be. */
export function settle(volume: Volume, journal: AnyJournal, seedStatus: string): readonly Operation[] {
  const change = changing(volume)
    .expecting(["status", "phase"])
    .set(["metadata", "annotations", journalAnnotation], journalText(journal))
    .set(["metadata", "annotations", seedMarks.status], seedStatus)
    .set(policyPath, journal.policy);
  // The mark goes back only where nothing was moved: a volume that we have pointed was not bound by the controller.
  return journal.outcome === "rolled-back" &&
    journal.boundByController &&
    volume.spec?.claimRef?.uid === journal.source.uid
    ? change.set(["metadata", "annotations", boundByController], "yes").operations
    : change.operations;
}

/** The journal alone: the volume keeps Retain, because nobody is there who could want it destroyed. */
export function record(volume: Volume, journal: AnyJournal, seedStatus: string): readonly Operation[] {
  return changing(volume)
    .set(["metadata", "annotations", journalAnnotation], journalText(journal))
    .set(["metadata", "annotations", seedMarks.status], seedStatus).operations;
}
