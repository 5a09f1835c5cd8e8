import type { PersistentVolume, PersistentVolumeClaim } from "../../../src/api/gen/core.ts";
import { type AnyJournal, anyJournalOn, type Journal, journalOn } from "../../../src/api/transfer/journal.ts";
import { idAnnotation } from "../../../src/api/transfer/names.ts";
import { giveOn } from "../../../src/api/transfer/wish.ts";
import { matches } from "../../../src/transfer/proposal/consent.ts";
import { holdsUseOf, usesOf } from "../../../src/transfer/standing/uses.ts";
import type { Approval, Policy, Request } from "../../../src/transfer/watches.ts";
import { currentOf, type StateRule, type Version } from "../../faults/monitor.ts";

const isVolume = ({ resource, type }: Version) => resource === "persistentvolumes" && type !== "DELETED";
const volumeIn = ({ object }: Version) => object as Version["object"] & PersistentVolume;

/** A provisioner that sees this pair destroys the volume. */
const neverReclaimable: StateRule = {
  id: "G1",
  says: "a journaled volume is never Released with the policy Delete",
  holds(version) {
    if (!isVolume(version)) return true;
    const { spec, status } = volumeIn(version);
    const journal = anyJournalOn(volumeIn(version));
    // Afterwards it is a volume like any other, and its owner may delete the claim.
    const isEnded = ["complete", "rolled-back"].includes(journal?.outcome ?? "");
    const isDoomed = status?.phase === "Released" && spec?.persistentVolumeReclaimPolicy === "Delete";
    return journal === undefined || isEnded || !isDoomed || "it is Released, and its policy is Delete";
  },
};

const neverForAnybody: StateRule = {
  id: "T2",
  says: "a journaled volume always points at a claim of the transfer, by uid",
  holds(version, history) {
    if (!isVolume(version)) return true;
    const journal = anyJournalOn(volumeIn(version));
    if (journal === undefined || journal.outcome !== undefined) return true;
    const uid = volumeIn(version).spec?.claimRef?.uid;
    if (uid === undefined) return "it points at nobody, and anybody may take it";
    const isParty = [journal.source.uid, journal.target.uid].includes(uid);
    return isParty || isMadeFor(uid, journal, history) || `it points at a stranger, ${uid}`;
  },
};

/** We wrote it to give the volume back, or the giver did, and says so on it. */
function isMadeFor(uid: string, { source, id }: AnyJournal, history: readonly Version[]): boolean {
  const { annotations = {} } = history.findLast((one) => one.uid === uid)?.object.metadata ?? {};
  const isTakenBack = annotations["transferAccept"] === `${source.namespace}/${source.name}`;
  return annotations[idAnnotation] === id || isTakenBack;
}

const oneOwner: StateRule = {
  id: "T2",
  says: "at most one claim is bound to a volume, and the volume points at it",
  holds({ resource, type, object }, history) {
    const claim = object as PersistentVolumeClaim;
    if (resource !== "persistentvolumeclaims" || type === "DELETED" || claim.status?.phase !== "Bound") return true;
    const others = currentOf(history).filter((one) => {
      const other = one.object as PersistentVolumeClaim;
      const isRival =
        one.resource === resource &&
        one.uid !== object.metadata.uid &&
        other.spec?.volumeName === claim.spec?.volumeName;
      return isRival && other.status?.phase === "Bound";
    });
    return others.length === 0 || `${others.map(({ key }) => key).join(", ")} is bound to it too`;
  },
};

const sameDisk: StateRule = {
  id: "T1",
  says: "a volume keeps its identity and its handle",
  holds(version, history) {
    if (!isVolume(version)) return true;
    const before = history.findLast((one) => one.uid === version.uid);
    const handleOf = (one: Version) => volumeIn(one).spec?.csi?.volumeHandle;
    return before === undefined || handleOf(before) === handleOf(version) || "it has another handle";
  },
};

function journalIn(version: Version | undefined): Journal | undefined {
  if (version === undefined || !isVolume(version)) return undefined;
  const reading = journalOn(volumeIn(version));
  return reading.is === "journal" ? reading.journal : undefined;
}

function anyIn(version: Version | undefined): AnyJournal | undefined {
  return version === undefined || !isVolume(version) ? undefined : anyJournalOn(volumeIn(version));
}

const isOpen = (journal: AnyJournal | undefined) => journal !== undefined && journal.outcome === undefined;
const beforeIn = ({ uid }: Version, history: readonly Version[]) => history.findLast((one) => one.uid === uid);

/** Whatever is done to a volume begins with the lock; without both consents nothing is done to it. */
const onlyByConsent: StateRule = {
  id: "T4",
  says: "a volume is locked only for a request and an approval that name each other, or by a use that a policy shows",
  holds(version, history) {
    const [before, journal] = [beforeIn(version, history), journalIn(version)];
    // One that was there before we looked was locked before we looked.
    if (journal === undefined || !isOpen(journal) || before === undefined || isOpen(journalIn(before))) return true;
    const { request, approval, standing } = journal;
    const [asked, approved] = [request.uid, (approval ?? standing)?.uid].map(
      (uid) => history.findLast((one) => one.uid === uid)?.object,
    );
    if (asked === undefined || approved === undefined) return "one of them was never seen";
    if (standing !== undefined) return holdsUseOf(approved as Policy, journal) || "its policy shows no such use";
    return matches(asked as Request, approved as Approval) || "they do not name each other";
  },
};

/** The same of a give: its own words are the consent. */
const onlyWhatIsGiven: StateRule = {
  id: "T4",
  says: "a volume is locked for a give only while its claim says so",
  holds(version, history) {
    const [before, journal] = [beforeIn(version, history), anyIn(version)];
    const isGive = isVolume(version) && journalOn(volumeIn(version)).is === "give";
    const isLockedNow = isGive && isOpen(journal) && before !== undefined && !isOpen(anyIn(before));
    if (!isLockedNow || journal === undefined) return true;
    const claim = history.findLast((one) => one.uid === journal.source.uid)?.object;
    return (claim !== undefined && isGivenTo(claim, journal.target)) || "its claim does not give it away";
  },
};

function isGivenTo(claim: Version["object"], { namespace, name }: AnyJournal["target"]): boolean {
  const wish = giveOn(claim);
  return wish.is === "clear" && wish.namespace === namespace && wish.name === name;
}

const policyComesBack: StateRule = {
  id: "T5",
  says: "the policy comes back with the end, on a volume that is bound to the right claim, and only then",
  holds(version, history) {
    const [before, journal] = [anyIn(beforeIn(version, history)), anyIn(version)];
    if (journal === undefined) return true;
    const policy = volumeIn(version).spec?.persistentVolumeReclaimPolicy;
    if (isOpen(journal) || journal.outcome === "orphaned")
      return policy === "Retain" || `the transfer is not over, and the policy is ${policy}`;
    return isOpen(before) ? endsWell(volumeIn(version), journal) : true;
  },
};

function endsWell({ spec, status }: PersistentVolume, { outcome, policy, target }: AnyJournal): true | string {
  if (status?.phase !== "Bound") return `it ends, and is ${status?.phase}`;
  if (spec?.persistentVolumeReclaimPolicy !== policy) return `it ends, and the policy is not ${policy}`;
  const isWithTarget = spec.claimRef?.uid === target.uid;
  return isWithTarget === (outcome === "complete") || `it is ${outcome}, with the wrong claim`;
}

const usedOnce: StateRule = {
  id: "T6",
  says: "one approval hands over one volume, once",
  holds(version, history) {
    const journal = journalIn(version);
    if (journal?.outcome !== "complete" || journal.approval === undefined) return true;
    const { uid } = journal.approval;
    const others = history.filter((one) => {
      const other = journalIn(one);
      return other?.outcome === "complete" && other.approval?.uid === uid;
    });
    const isAnother = (one: Version) => one.uid !== version.uid || journalIn(one)?.target.uid !== journal.target.uid;
    return !others.some(isAnother) || "its approval has handed over another one";
  },
};

const usesAreCounted: StateRule = {
  id: "T6",
  says: "a policy never shows more uses than its count, and keeps one for each volume it handed over",
  holds(version, history) {
    const { resource, type, object, uid } = version;
    if (resource !== "storagetransferpolicies" || type === "DELETED") return true;
    const policy = object as Policy;
    const journals = [...history, version].map(journalIn).filter((one) => one !== undefined);
    const lost = journals.filter(
      (one) => one.outcome === "complete" && one.standing?.uid === uid && !holdsUseOf(policy, one),
    );
    if (lost.length > 0) return `it shows no use for ${lost.map(({ id }) => id).join(", ")}`;
    return usesOf(policy).length <= policy.spec.count || `it shows ${usesOf(policy).length} uses`;
  },
};

export const stateRules: readonly StateRule[] = [
  neverReclaimable,
  neverForAnybody,
  oneOwner,
  sameDisk,
  onlyByConsent,
  onlyWhatIsGiven,
  policyComesBack,
  usedOnce,
  usesAreCounted,
];
