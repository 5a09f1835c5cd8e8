import { type PersistentVolume, type PersistentVolumeClaim, persistentVolumeClaims } from "../../api/gen/core.ts";
import type { Stored } from "../../api/object.ts";
import { type GiveJournal, journalOn } from "../../api/transfer/journal.ts";
import { handOverCondition, holdFinalizer, seedClaimStatus } from "../../api/transfer/names.ts";
import { acceptOn, giveOn, inWords, type Place } from "../../api/transfer/wish.ts";
import { fullName } from "../kubectl/print.ts";
import { nothingYet, type Told } from "../text/told.ts";
import { acceptLine, shapeIn, shapeOf } from "./give.ts";
import type { Standing } from "./pairs.ts";

type Claim = Stored<PersistentVolumeClaim>;

/** One hand-over by annotation, as far as this person may see it: either claim may be hidden, or not there. */
export interface GiveSeen {
  readonly source: Place;
  readonly target: Place;
  readonly giver?: Claim;
  readonly taker?: Claim;
  /** Of the volume, for those who may see volumes. The source may be gone, and then nothing else tells of it. */
  readonly journal?: GiveJournal;
}

export function givesAmong(
  claims: readonly Claim[],
  volumes: readonly Stored<PersistentVolume>[],
): readonly GiveSeen[] {
  const found = new Map<string, GiveSeen>();
  const add = (source: Place, target: Place, what: Partial<GiveSeen>) => {
    const key = `${inWords(source)} ${inWords(target)}`;
    found.set(key, { source: placeOf(source), target: placeOf(target), ...found.get(key), ...what });
  };
  for (const claim of claims) {
    const [give, accept, own] = [giveOn(claim), acceptOn(claim), placeOf(claim.metadata)];
    if (give.is === "clear") add(own, give, { giver: claim });
    if (accept.is === "clear") add(accept, own, { taker: claim });
  }
  for (const volume of volumes) {
    const reading = journalOn(volume);
    if (reading.is === "give" && reading.journal.outcome === undefined)
      add(reading.journal.source, reading.journal.target, { journal: reading.journal });
  }
  return [...found.values()];
}

function placeOf({ namespace = "", name }: { readonly namespace?: string; readonly name: string }): Place {
  return { namespace, name };
}

export function standingOfGive(give: GiveSeen): Standing {
  const { source, target, giver, taker, journal } = give;
  const stage = stageOf(give);
  const told = tellings[stage](give);
  const since = (giver ?? taker)?.metadata.creationTimestamp ?? journal?.startedAt;
  return {
    door: "annotation",
    object: fullName(persistentVolumeClaims, (giver ?? taker)?.metadata.name ?? source.name),
    source,
    target,
    phase: told.phase,
    reason: told.reason,
    told,
    ...(journal === undefined ? {} : { operation: journal.id }),
    ...(since === undefined ? {} : { since }),
    next: nexts[stage](give),
  };
}

/** How far it is, by what can be seen. The first that holds is told. */
type Stage = "complete" | "stuck" | "accepted" | "only accepted" | "unheard" | "unaccepted" | "given";

function stageOf({ giver, taker, journal }: GiveSeen): Stage {
  const mark = taker?.metadata.annotations?.[seedClaimStatus];
  if (mark === "complete") return "complete";
  if (problemOn(taker) !== undefined || problemOn(giver) !== undefined) return "stuck";
  if (mark === "pending") return "accepted";
  if (giver === undefined) return taker === undefined ? "unaccepted" : "only accepted";
  if (isHeld(giver)) return "unheard";
  return journal === undefined ? "given" : "unaccepted";
}

const pending = { phase: "Pending", reason: "", message: "", hasEnded: false } as const;

const tellings: Readonly<Record<Stage, (give: GiveSeen) => Told>> = {
  complete: () => ({ phase: "Complete", reason: "Settled", message: "", hasEnded: true }),
  stuck: ({ giver, taker }) => ({ ...pending, ...(problemOn(taker) ?? problemOn(giver)) }),
  accepted: () => ({ ...pending, reason: "AwaitingDeletion" }),
  "only accepted": ({ source }) => ({
    ...pending,
    message: `It waits until ${inWords(source)} is given to it, and gets no other volume.`,
  }),
  unheard: () => nothingYet,
  unaccepted: () => ({ ...pending, reason: "AwaitingAcceptance" }),
  given: () => ({
    ...pending,
    message: "Its volume is kept: the claim may be deleted, and goes to whoever accepts it there.",
  }),
};

/** What Portway says is in the way, on the claim itself. */
function problemOn(claim: Claim | undefined): Pick<Told, "reason" | "message"> | undefined {
  const told = claim?.status?.conditions?.find(({ type }) => type === handOverCondition);
  if (told === undefined || told.reason === "Working") return undefined;
  return { reason: told.reason ?? "", message: told.message ?? "" };
}

/** Until the volume is locked; where nothing holds claims, nobody can tell from the claim. */
function isHeld({ metadata }: Claim): boolean {
  return metadata.finalizers?.includes(holdFinalizer) === true;
}

const nexts: Readonly<Record<Stage, (give: GiveSeen) => string>> = {
  complete: ({ target }) => `kubectl get pvc ${target.name} -n ${target.namespace}`,
  stuck: explainLine,
  accepted: ({ source }) => `kubectl delete pvc ${source.name} -n ${source.namespace}`,
  "only accepted": ({ source, target }) =>
    `kubectl portway give ${source.name} ${inWords(target)} -n ${source.namespace}`,
  unheard: explainLine,
  unaccepted: lineToAccept,
  given: lineToAccept,
};

function explainLine({ giver, taker, source }: GiveSeen): string {
  const { namespace = "", name } = (giver ?? taker)?.metadata ?? source;
  return `kubectl portway explain pvc/${name} -n ${namespace}`;
}

function lineToAccept({ source, target, giver, journal }: GiveSeen): string {
  if (giver !== undefined) return acceptLine(source, target, shapeOf(giver));
  return journal === undefined ? "" : acceptLine(source, target, shapeIn(journal));
}
