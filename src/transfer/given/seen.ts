import type { VolumeAttachment } from "../../api/gen/storage.ts";
import type { Stored } from "../../api/object.ts";
import { sizeIsOver } from "../../api/quantity.ts";
import { type GiveJournal, journalOn, type Party } from "../../api/transfer/journal.ts";
import { holdSelector, seedClaimStatus } from "../../api/transfer/names.ts";
import { accepts, giveOn } from "../../api/transfer/wish.ts";
import type { Look } from "../../runtime/reconciler.ts";
import { differencesOf, storageIn } from "../gates.ts";
import { type ClaimSeen, isBoundTo, type Kicked, keyOfTransfer, stays, volumeIn } from "../seen.ts";
import { type Claim, claimOf, type Volume, type Watches } from "../watches.ts";
import { listenersOf } from "./voice.ts";

/** A claim that says it accepts the volume: the target, or one of the giver who takes it back. */
export interface Receiver {
  readonly claim: Claim;
  readonly isTarget: boolean;
  readonly isBound: boolean;
  /** Why it cannot have the volume. */
  readonly misfit: string | undefined;
  /** Nothing but the volume's own word can bind it: it has been kept from every other volume. */
  readonly isHeld: boolean;
  /** What the seed's mark on it says. */
  readonly mark: string | undefined;
}

/** A volume that is locked for a give, and everything its way depends on. */
export interface Given {
  readonly volume: Volume;
  readonly journal: GiveJournal;
  readonly source: ClaimSeen;
  /** The source is there and still gives to the same place. */
  readonly isGiven: boolean;
  readonly receiver: Receiver | undefined;
  /** A claim that carries our mark and is no receiver any more. */
  readonly marked: Claim | undefined;
  /** Who is told what is in the way. */
  readonly listeners: readonly Claim[];
  readonly sourceNamespaceStays: boolean;
  readonly targetNamespaceStays: boolean;
  readonly attachments: readonly Stored<VolumeAttachment>[];
  /** Others of the same giver that the binder has not bound yet. */
  readonly ahead: number;
  readonly kicked: Kicked | undefined;
  readonly now: Date;
}

export async function observeGiven(watches: Watches, key: string, { now, reply }: Look): Promise<Given | undefined> {
  const volume = watches.volumes.get(volumeIn(key));
  const reading = volume === undefined ? undefined : journalOn(volume);
  if (volume === undefined || reading?.is !== "give") return undefined;
  const { journal } = reading;
  if (keyOfTransfer(volume, journal) !== key) return undefined;
  const found = { source: claimAt(watches, journal.source), target: claimAt(watches, journal.target) };
  const source = sourceSeen(found.source, volume, journal);
  const places = {
    sourceNamespaceStays: stays(watches, journal.source),
    targetNamespaceStays: stays(watches, journal.target),
  };
  const receiver = receiverOf({ ...found, ...places, volume, journal });
  return {
    volume,
    journal,
    source,
    isGiven: source.is === "there" && givesTo(source.claim, journal.target),
    receiver,
    marked:
      found.target !== undefined && found.target !== receiver?.claim && isMarked(found.target)
        ? found.target
        : undefined,
    listeners: listenersOf({ volume, journal, source, receiver }, watches),
    ...places,
    attachments: watches.attachments.by("volume", volume.metadata.name),
    ahead: othersAtBinder(watches, volume, journal).length,
    kicked: reply as Kicked | undefined,
    now,
  };
}

interface Candidates {
  readonly source: Claim | undefined;
  readonly target: Claim | undefined;
  readonly sourceNamespaceStays: boolean;
  readonly targetNamespaceStays: boolean;
  readonly volume: Volume;
  readonly journal: GiveJournal;
}

/** The target comes first: it is the one that was meant. The giver takes back with a new claim under the old name that names itself. */
function receiverOf({ source, target, volume, journal, ...places }: Candidates): Receiver | undefined {
  const isTheirs = (claim: Claim) => accepts(claim, journal.source) || isPointedAt(claim, volume);
  if (target !== undefined && places.targetNamespaceStays && isTheirs(target))
    return receiverAs(target, true, volume, journal);
  const isNew = source !== undefined && source.metadata.uid !== journal.source.uid;
  if (isNew && places.sourceNamespaceStays && isTheirs(source)) return receiverAs(source, false, volume, journal);
  return undefined;
}

function receiverAs(claim: Claim, isTarget: boolean, volume: Volume, journal: GiveJournal): Receiver {
  const labels = claim.spec?.selector?.matchLabels ?? {};
  return {
    claim,
    isTarget,
    isBound: isBoundTo(claim, volume),
    misfit: misfitOf(claim, volume, journal),
    isHeld: Object.entries(holdSelector).every(([name, value]) => labels[name] === value),
    mark: claim.metadata.annotations?.[seedClaimStatus],
  };
}

/** It had accepted when the volume went to it, and a word that is taken back afterwards changes nothing. */
function isPointedAt({ metadata }: Claim, { spec }: Volume): boolean {
  return metadata.deletionTimestamp === undefined && spec?.claimRef?.uid === metadata.uid;
}

function givesTo(claim: Claim, { namespace, name }: Party): boolean {
  const wish = giveOn(claim);
  return wish.is === "clear" && wish.namespace === namespace && wish.name === name;
}

/** The binder compares nothing, so quota and class would be evaded by a claim that asks for less than it gets. */
export function misfitOf(claim: Claim, volume: Volume, { claim: was }: GiveJournal): string | undefined {
  const { volumeName = "", resources } = claim.spec ?? {};
  if (volumeName !== "" && volumeName !== volume.metadata.name) return "it is bound to another volume";
  const wished = storageIn(resources?.requests);
  if (sizeIsOver(was.storage, wished))
    return `it asks for ${String(wished)}, less than the ${was.storage} of the source`;
  const size = storageIn(volume.spec?.capacity);
  if (sizeIsOver(wished, size)) return `it asks for ${String(wished)}, and the volume has ${String(size)}`;
  const differences = differencesOf(claim.spec, volume.spec);
  return differences.length === 0 ? undefined : `it differs from the volume in: ${differences.join(", ")}`;
}

/** One whose claim is gone meanwhile waits for people, and not for the binder. */
function othersAtBinder({ volumes, claims }: Watches, volume: Volume, { source }: GiveJournal): readonly Volume[] {
  return volumes.by("handed", source.namespace).filter((other) => {
    const claim = claims.get(claimOf(other));
    const isThere = claim !== undefined && claim.metadata.uid === other.spec?.claimRef?.uid;
    return isThere && claim.status?.phase !== "Bound" && other.metadata.name !== volume.metadata.name;
  });
}

function isMarked({ metadata }: Claim): boolean {
  return metadata.annotations?.[seedClaimStatus] === "pending";
}

function claimAt({ claims }: Watches, { namespace, name }: Party): Claim | undefined {
  return claims.get(`${namespace}/${name}`);
}

function sourceSeen(claim: Claim | undefined, volume: Volume, { source }: GiveJournal): ClaimSeen {
  if (claim === undefined) return { is: "missing" };
  if (claim.metadata.uid !== source.uid) return { is: "foreign", claim };
  const isLeaving = claim.metadata.deletionTimestamp !== undefined;
  return { is: "there", claim, isLeaving, isBound: isBoundTo(claim, volume) };
}
