import { namespaces, persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { journalOn } from "../../src/api/transfer/journal.ts";
import { holdFinalizer } from "../../src/api/transfer/names.ts";
import { acceptOn } from "../../src/api/transfer/wish.ts";
import type { Invariant } from "../explore/explore.ts";
import type { Claim } from "../explore/model/binding.ts";
import { allOf, objectOf } from "../explore/model/server.ts";
import type { World } from "../explore/world.ts";

/** The give of the model: who gives what to whom, and what people may have done to it. */
export const giver = "giver";
export const taker = "taker";
export const volumeName = "volume";
export const sourceKey = { namespace: giver, name: "foo" };
export const targetKey = { namespace: taker, name: "bar" };

function claimAt({ server }: World, { namespace, name }: typeof sourceKey): Claim | undefined {
  return objectOf(server, persistentVolumeClaims, `${namespace}/${name}`);
}

function volumeIn({ server }: World) {
  const volume = objectOf(server, persistentVolumes, volumeName);
  const { claimRef, persistentVolumeReclaimPolicy: policy } = volume?.spec ?? {};
  const reading = volume === undefined ? undefined : journalOn(volume);
  const journal = reading?.is === "give" ? reading.journal : undefined;
  return {
    journal,
    isOpen: journal !== undefined && journal.outcome === undefined,
    /** The reaper destroys it. */
    isDoomed: volume?.status?.phase === "Released" && policy === "Delete",
    pointsAt: claimRef?.uid,
  };
}

function lookAt(world: World) {
  const volume = volumeIn(world);
  const [found, target] = [claimAt(world, sourceKey), claimAt(world, targetKey)];
  const all = allOf(world.server, persistentVolumeClaims);
  return {
    ...volume,
    owner: all.find(({ metadata }) => metadata.uid === volume.pointsAt),
    /** The very claim that was given. */
    source: found?.metadata.uid === volume.journal?.source.uid ? found : undefined,
    isHeld: found?.metadata.finalizers?.includes(holdFinalizer) === true,
    /** A claim that accepts, under the target's name. */
    acceptor: target !== undefined && acceptOn(target).is === "clear" ? target : undefined,
    wasDone: (...acts: readonly string[]) => acts.some((act) => world.done.includes(act)),
  };
}

const byItsOwner = ["deletes the target", "deletes the taking namespace"];

export const invariants: readonly Invariant[] = [
  {
    id: "G1",
    says: "a volume that is given, or orphaned, is never Released with the policy Delete",
    holds(world) {
      const { isOpen, journal, isDoomed } = lookAt(world);
      const isOurs = isOpen || journal?.outcome === "orphaned";
      return !isOurs || !isDoomed || "the provisioner may destroy it";
    },
  },
  {
    id: "G1",
    says: "what is given and deleted is not lost, unless the give was withdrawn or its new owner deletes it",
    holds(world) {
      const { isDoomed, wasDone } = lookAt(world);
      const isLetGo = wasDone("withdraws the give", "deletes the giving namespace", ...byItsOwner);
      return isLetGo || !isDoomed || "it would be destroyed";
    },
  },
  {
    id: "T2",
    says: "a given volume points at its source or at a claim that accepts, by uid",
    holds(world) {
      const { journal, isOpen, pointsAt, owner } = lookAt(world);
      if (!isOpen || pointsAt === journal?.source.uid) return true;
      if (pointsAt === undefined) return "it points at nobody";
      return owner === undefined || acceptOn(owner).is === "clear" || "it points at somebody who has not accepted it";
    },
  },
  {
    id: "T3",
    says: "while the source lives it keeps its volume, and nothing names the volume in the target",
    holds(world) {
      const { journal, source, pointsAt, acceptor } = lookAt(world);
      if (journal === undefined || source === undefined) return true;
      if (pointsAt !== source.metadata.uid) return "the source has lost its volume";
      return (acceptor?.spec?.volumeName ?? "") === "" || "it could not be withdrawn any more";
    },
  },
  {
    id: "T9",
    at: "rest",
    says: "in the end nothing is held, unless it cannot be given, and its owner is told why",
    holds(world) {
      const canBeGiven = objectOf(world.server, namespaces, taker) !== undefined;
      return !canBeGiven || !lookAt(world).isHeld || "the source is held";
    },
  },
  {
    id: "T9",
    at: "rest",
    says: "in the end whoever accepted has what was given and deleted",
    holds(world) {
      const { journal, isOpen, source, acceptor, owner, wasDone } = lookAt(world);
      if (isOpen && acceptor !== undefined && source === undefined) return "somebody has accepted it, and waits";
      const hasOwner = owner?.status?.phase === "Bound" || wasDone(...byItsOwner);
      return journal?.outcome !== "complete" || hasOwner || "nobody has the volume";
    },
  },
];
