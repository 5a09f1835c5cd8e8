import { persistentVolumeClaims } from "../../api/gen/core.ts";
import type { Party } from "../../api/transfer/journal.ts";
import { accepts, giveOn } from "../../api/transfer/wish.ts";
import type { Hand } from "../../runtime/hand.ts";
import { must, Overtaken } from "../../runtime/must.ts";
import type { Claim } from "../watches.ts";
import { type Given, misfitOf } from "./seen.ts";

/** A cache may be late. What must be true right before something cannot be undone is read from the server itself. */
type Live = Hand["live"];

async function sourceOn({ journal }: Given, live: Live): Promise<Claim | undefined> {
  const { namespace, name, uid } = journal.source;
  const found = await live.find(persistentVolumeClaims, { namespace, name });
  return found?.metadata.uid === uid ? found : undefined;
}

/** A claim that loses its volume while it lives is lost. */
export async function requireSourceGone(seen: Given, live: Live): Promise<void> {
  if ((await sourceOn(seen, live)) !== undefined) throw new Overtaken("the source is still there");
}

/** Its owner has it, does not delete it and does not give it away. */
export async function requireWithdrawn(seen: Given, live: Live): Promise<void> {
  const found = await sourceOn(seen, live);
  if (found === undefined || found.metadata.deletionTimestamp !== undefined)
    throw new Overtaken("the source is on its way out");
  if (gives(found, seen.journal.target)) throw new Overtaken("the source is given");
}

export async function requireGiven(seen: Given, live: Live): Promise<void> {
  const found = await sourceOn(seen, live);
  if (found === undefined || !gives(found, seen.journal.target)) throw new Overtaken("the give was withdrawn");
}

function gives(claim: Claim, { namespace, name }: Party): boolean {
  const wish = giveOn(claim);
  return wish.is === "clear" && wish.namespace === namespace && wish.name === name;
}

/** The very claim, and it still accepts and fits: what it asks for may have changed since we looked. */
export async function requireReceiver({ receiver, journal, volume }: Given, live: Live): Promise<Claim> {
  const { namespace = "", name, uid } = must(receiver, "a claim that accepts").claim.metadata;
  const found = await live.find(persistentVolumeClaims, { namespace, name });
  if (found?.metadata.uid !== uid || !accepts(found, journal.source)) throw new Overtaken("nobody accepts it any more");
  if (misfitOf(found, volume, journal) !== undefined) throw new Overtaken("who accepts it cannot have it any more");
  return found;
}
