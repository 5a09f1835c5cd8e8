import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { storageTransferApprovals, storageTransferPolicies } from "../../src/api/gen/transfer.ts";
import { type Journal, journalOn } from "../../src/api/transfer/journal.ts";
import { idAnnotation } from "../../src/api/transfer/names.ts";
import { holdsUseOf, usesOf } from "../../src/transfer/standing/uses.ts";
import type { Invariant } from "../explore/explore.ts";
import { allOf, objectOf } from "../explore/model/server.ts";
import type { World } from "../explore/world.ts";

/** The transfer of the model: what is asked for, by whom, and what approves it. */
export const giver = "giver";
export const taker = "taker";
export const volumeName = "volume";
export const sourceKey = { namespace: giver, name: "foo" };
export const targetKey = { namespace: taker, name: "bar" };
export const request = { namespace: taker, name: "transfer-foo" };
export const approval = { namespace: giver, name: "approve-foo" };
export const policy = { namespace: giver, name: "for-the-taker" };

function lookAt({ server }: World) {
  const volume = objectOf(server, persistentVolumes, volumeName);
  const reading = volume === undefined ? undefined : journalOn(volume);
  return {
    volume,
    journal: reading?.is === "journal" ? reading.journal : undefined,
    claims: allOf(server, persistentVolumeClaims),
  };
}

const isOpen = ({ outcome }: Journal) => outcome === undefined;

/** A claim that is gone may have been ours: then the volume waits, and nobody else has its uid. */
function belongs(uid: string | undefined, { source, target, id }: Journal, { server }: World): boolean {
  if (uid === undefined) return false;
  if (uid === source.uid || uid === target.uid) return true;
  const claim = allOf(server, persistentVolumeClaims).find(({ metadata }) => metadata.uid === uid);
  return claim === undefined || claim.metadata.annotations?.[idAnnotation] === id;
}

function isDoomed({ volume }: ReturnType<typeof lookAt>): boolean {
  return volume?.status?.phase === "Released" && volume.spec?.persistentVolumeReclaimPolicy === "Delete";
}

/** The uid of the source, while nobody has deleted it. */
function livingSource({ server }: World): string | undefined {
  const metadata = objectOf(server, persistentVolumeClaims, `${giver}/${sourceKey.name}`)?.metadata;
  return metadata?.deletionTimestamp === undefined ? metadata?.uid : undefined;
}

export const invariants: readonly Invariant[] = [
  {
    id: "G1",
    says: "a volume on its way, or orphaned, is never Released with the policy Delete",
    holds(world) {
      const seen = lookAt(world);
      // What went back is its owner's again, who may delete it.
      const isOurs = seen.journal !== undefined && (isOpen(seen.journal) || seen.journal.outcome === "orphaned");
      return !isOurs || !isDoomed(seen) || "the provisioner may destroy it";
    },
  },
  {
    id: "T2",
    says: "a volume on its way points at a claim of the transfer, by uid",
    holds(world) {
      const { volume, journal } = lookAt(world);
      if (journal === undefined || !isOpen(journal)) return true;
      const uid = volume?.spec?.claimRef?.uid;
      return belongs(uid, journal, world) || `it points at ${uid ?? "nobody"}`;
    },
  },
  {
    id: "T3",
    says: "we delete a source only while its volume is retained under an open journal",
    holds(world, move) {
      if (move === undefined || !move.says.startsWith("portway")) return true;
      const uid = livingSource(move.before);
      if (uid === undefined || livingSource(world) === uid) return true;
      const { volume, journal } = lookAt(move.before);
      const isKept = volume?.spec?.persistentVolumeReclaimPolicy === "Retain";
      return (isKept && journal !== undefined && isOpen(journal)) || "it was not safe";
    },
  },
  {
    id: "T6",
    says: "a transfer is complete only when its approval is used or gone",
    holds(world) {
      if (lookAt(world).journal?.outcome !== "complete") return true;
      const found = objectOf(world.server, storageTransferApprovals, `${giver}/${approval.name}`);
      return found === undefined || found.status?.consumed === true || "it could hand over the next claim of that name";
    },
  },
  {
    id: "T6",
    says: "a policy shows a use for what was handed over by it, and never more than it may",
    holds(world) {
      const found = objectOf(world.server, storageTransferPolicies, `${giver}/${policy.name}`);
      const { journal } = lookAt(world);
      if (found === undefined) return true;
      const isCounted = journal?.outcome !== "complete" || journal.standing === undefined || holdsUseOf(found, journal);
      if (!isCounted) return "what was handed over is not counted";
      return usesOf(found).length <= found.spec.count || "it is used too often";
    },
  },
  {
    id: "T6",
    at: "rest",
    says: "in the end a policy shows no use by which something was undone",
    holds(world) {
      const found = objectOf(world.server, storageTransferPolicies, `${giver}/${policy.name}`);
      const { journal } = lookAt(world);
      if (found === undefined || journal?.outcome !== "rolled-back") return true;
      return !holdsUseOf(found, journal) || "a use was not returned";
    },
  },
  {
    id: "T9",
    at: "rest",
    says: "in the end nothing is half done, and the volume is there unless somebody let it go",
    holds(world) {
      const { volume, journal, claims } = lookAt(world);
      if (journal !== undefined && isOpen(journal)) return "the journal is open";
      const owner = claims.find(({ metadata }) => metadata.uid === volume?.spec?.claimRef?.uid);
      const wasLetGo = world.done.some((one) => one.startsWith("deletes the"));
      return owner?.status?.phase === "Bound" || journal?.outcome === "orphaned" || wasLetGo || "nobody has the volume";
    },
  },
];
