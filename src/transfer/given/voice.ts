import { type GiveJournal, journalOn } from "../../api/transfer/journal.ts";
import { accepts, inWords } from "../../api/transfer/wish.ts";
import { concernsGive } from "../give/seen.ts";
import type { ClaimSeen } from "../seen.ts";
import { type Claim, keyOf, type Volume, type Watches } from "../watches.ts";
import type { Receiver } from "./seen.ts";

interface Parties {
  readonly volume: Volume;
  readonly journal: GiveJournal;
  readonly source: ClaimSeen;
  readonly receiver: Receiver | undefined;
}

/**
 * Whom the loop of this volume tells what is in the way. One voice for each claim: two loops that tell it different things would
 * answer each other for ever. Of a claim that is given, its own loop speaks until its volume is locked; after the end, whoever
 * comes next.
 */
export function listenersOf({ volume, journal, source, receiver }: Parties, watches: Watches): readonly Claim[] {
  const isOver = journal.outcome !== undefined;
  const isFree = (claim: Claim) => !concernsGive(claim) && !isSpokenTo(claim, volume, watches);
  const giver = source.is === "there" && (!isOver || isFree(source.claim)) ? [source.claim] : [];
  if (receiver === undefined || concernsGive(receiver.claim)) return giver;
  const isNext = isOver && (!receiver.isBound || isSpokenTo(receiver.claim, volume, watches));
  return isNext ? giver : [receiver.claim, ...giver];
}

/** A volume that it accepts is given to it; another one than this. */
export function isSpokenTo(claim: Claim, volume: Volume | undefined, { volumes }: Watches): boolean {
  const key = keyOf(claim);
  return volumes.by("claim", key).some((other) => {
    const reading = journalOn(other);
    if (other.metadata.uid === volume?.metadata.uid || reading.is !== "give") return false;
    const { outcome, source, target } = reading.journal;
    return outcome === undefined && inWords(target) === key && accepts(claim, source);
  });
}
