import { type PersistentVolumeClaim, persistentVolumes } from "../../api/gen/core.ts";
import type { Stored } from "../../api/object.ts";
import { type GiveJournal, journalOn } from "../../api/transfer/journal.ts";
import { acceptOn, giveOn, inWords, type Wish } from "../../api/transfer/wish.ts";
import { planInWords } from "../../runtime/print-table.ts";
import { gates } from "../../transfer/give/gates.ts";
import { offered } from "../../transfer/give/rules.ts";
import { giving, tableFor, taking, withdrawing } from "../../transfer/given/rules.ts";
import type { Given } from "../../transfer/given/seen.ts";
import { type Explanation, type Ruling, rulingBy } from "../explain/explanation.ts";
import type { Looked } from "../explain/gather.ts";
import { judgeGates, known } from "../explain/judge.ts";
import { type Eyes, valueOf } from "../kubectl/eyes.ts";
import { inWords as placeInWords } from "../kubectl/names.ts";
import { givesAmong, standingOfGive } from "./gives.ts";
import { lookAtGiven, lookAtOffer } from "./look-gives.ts";

type Claim = Stored<PersistentVolumeClaim>;
type Explained = Omit<Explanation, "unseen">;

const names = new Map([
  [giving, "a given volume whose source is there"],
  [withdrawing, "a volume that is not given any more"],
  [taking, "a given volume whose source is deleted"],
]);

export function rulingOnGiven({ seen }: Looked<Given>): Ruling {
  const table = known(() => tableFor(seen));
  if (table.is === "unknown") return { table: "unknown: it depends on the source claim, which you may not see" };
  return rulingBy(names.get(table.value) ?? "a given volume", table.value, seen);
}

/** The claim of whoever gives: its own table until its volume is locked, and the volume's table afterwards. */
export async function aboutGive(eyes: Eyes, claim: Claim): Promise<Explained> {
  const looked = await lookAtOffer(eyes, claim);
  const title = titleOf(claim, `given to ${wishInWords(giveOn(claim))}`);
  const reading = looked.locked === undefined ? undefined : journalOn(looked.locked);
  if (looked.locked !== undefined && reading?.is === "give")
    return { ...title, ...rulingOnGiven(await lookAtGiven(eyes, looked.locked, reading.journal)) };
  const ruling = rulingBy("a given claim before its volume is locked", offered, looked.seen);
  const { closed } = judgeGates(gates, looked.seen);
  const isOpen = ruling.row === undefined || ruling.row === "something is in the way";
  return { ...title, ...ruling, assumed: looked.assumed, ...(isOpen ? { inTheWay: closed.map(planInWords) } : {}) };
}

/** The claim of whoever accepts: only the volume's table decides about it, for those who may see volumes. */
export async function aboutAccept(eyes: Eyes, claim: Claim): Promise<Explained> {
  const wish = acceptOn(claim);
  const title = titleOf(claim, `accepts ${wishInWords(wish)}`);
  const volumes = valueOf(await eyes.list(persistentVolumes)) ?? [];
  for (const volume of volumes) {
    const reading = journalOn(volume);
    if (reading.is === "give" && reading.journal.outcome === undefined && isFor(claim, wish, reading.journal))
      return { ...title, ...rulingOnGiven(await lookAtGiven(eyes, volume, reading.journal)) };
  }
  return { ...title, next: standingOfGive({ ...placesOf(claim, wish), taker: claim }).next };
}

function isFor({ metadata }: Claim, wish: Wish, { source, target }: GiveJournal): boolean {
  const isAsked = wish.is === "clear" && inWords(wish) === inWords(source);
  return isAsked && [inWords(target), inWords(source)].includes(placeInWords(metadata));
}

function placesOf({ metadata: { namespace = "", name } }: Claim, wish: Wish) {
  const target = { namespace, name };
  return { target, source: wish.is === "clear" ? wish : target };
}

function titleOf(claim: Claim, about: string): Pick<Explained, "object" | "about" | "told"> {
  const [standing] = givesAmong([claim], []).map(standingOfGive);
  return {
    object: `pvc ${placeInWords(claim.metadata)}`,
    about,
    ...(standing === undefined ? {} : { told: standing.told }),
  };
}

function wishInWords(wish: Wish): string {
  return wish.is === "clear" ? inWords(wish) : wish.is === "unclear" ? `nobody yet: ${wish.why}` : "nobody";
}
