import { type Plan, rest, step, type Table, wait } from "../../runtime/table.ts";
import { attached, untilNextKick } from "../rules.ts";
import { isTurned } from "../seen.ts";
import type { Given } from "./seen.ts";

export type Step =
  | "retain-volume"
  | "renew-lock"
  | "mark-pending"
  | "unmark"
  | "turn-back"
  | "restore-volume"
  | "hand-over"
  | "name-volume"
  | "kick-binder"
  | "settle-volume"
  | "mark-complete"
  | "mark-orphaned";

type Say = (s: Given) => boolean;

const isEnded: Say = ({ journal }) => journal.outcome !== undefined;
const couldBeReclaimed: Say = (s) => s.volume.spec?.persistentVolumeReclaimPolicy !== "Retain";
const hasSource: Say = ({ source }) => source.is === "there";
const isLeaving: Say = ({ source }) => source.is === "there" && source.isLeaving;
const isBereft: Say = ({ source }) => source.is === "there" && !source.isBound;
const isTurnedBack: Say = ({ source, journal }) => source.is === "there" && isTurned(source.claim, journal);
const isMarked: Say = ({ receiver }) => receiver?.mark === "pending";
const isUnfit: Say = ({ receiver }) => receiver?.misfit !== undefined;
const isBound: Say = ({ receiver }) => receiver?.isBound === true;
const pointsAtReceiver: Say = ({ volume, receiver }) => volume.spec?.claimRef?.uid === receiver?.claim.metadata.uid;
/** The volume's own word is enough for the binder, and a kick would only cost it a look. */
const isHeld: Say = ({ receiver }) => receiver?.isHeld === true;
const hasName: Say = (s) => isHeld(s) || (s.receiver?.claim.spec?.volumeName ?? "") !== "";
const isUntold: Say = (s) => isEnded(s) && isMarked(s) && isBound(s);
const nobodyIsLeft: Say = (s) => !s.sourceNamespaceStays && !s.targetNamespaceStays;

const awaitsAcceptance = wait("AwaitingAcceptance");
const bereft = wait("SourceNotBound", { detail: "The volume is not bound to the source claim.", quietSeconds: 2 });

/** What can happen to a volume while its source is there, gives it away and may still think better of it. */
export const giving: Table<Given, Step> = [
  ...whileOpen([
    ["the volume could be reclaimed", couldBeReclaimed, step("retain-volume")],
    ["a way back may still be on its way", isTurnedBack, step("renew-lock")],
    ["nobody has accepted it", (s) => s.receiver === undefined, awaitsAcceptance],
    ["who accepts it cannot have it", isUnfit, (s) => unfit(s)],
    ["the target does not know that it waits", (s) => !isMarked(s), step("mark-pending")],
    ["the source is still there", hasSource, wait("AwaitingDeletion")],
  ]),
  ["the transfer has ended", isEnded, rest],
];

/** What can happen to it when the source is there and does not give it away any more. */
export const withdrawing: Table<Given, Step> = [
  ...whileOpen([
    ["the volume could be reclaimed", couldBeReclaimed, step("retain-volume")],
    ["the source is there without its volume", isBereft, bereft],
    ["somebody still waits for it", (s) => isMarked(s) || s.marked !== undefined, step("unmark")],
    ["the source may go on as if it were given", (s) => !isTurnedBack(s), step("turn-back")],
    ["the source has kept its volume", hasSource, step("restore-volume")],
  ]),
  ["the volume is back", isEnded, rest],
];

/** What can happen to it once its owner has deleted the source. */
export const taking: Table<Given, Step> = [
  ...whileOpen([
    ["the volume could be reclaimed", couldBeReclaimed, step("retain-volume")],
    ["the source is on its way out", isLeaving, wait("SourceLeaving", { quietSeconds: 2 })],
    ["both namespaces are gone", nobodyIsLeft, step("mark-orphaned")],
    ["nobody has accepted it", (s) => s.receiver === undefined, awaitsAcceptance],
    ["who accepts it cannot have it", isUnfit, (s) => unfit(s)],
    ["who accepts it does not know that it waits", (s) => !isMarked(s), step("mark-pending")],
    [
      "it is attached, or it is not its turn",
      (s) => !pointsAtReceiver(s) && notYet(s) !== undefined,
      (s) => notYet(s) ?? rest,
    ],
    ["the volume does not point at who accepts it", (s) => !pointsAtReceiver(s), step("hand-over")],
    ["nothing keeps it from another volume", (s) => !hasName(s), step("name-volume")],
    ["the binder is at it", (s) => !isBound(s) && (isHeld(s) || untilNextKick(s) > 0), (s) => waitForBinder(s)],
    ["the binder has not bound it", (s) => !isBound(s), step("kick-binder")],
    ["the reclaim policy is not back", () => true, step("settle-volume")],
  ]),
  ["its new owner is not told yet", isUntold, step("mark-complete")],
  ["the transfer has ended", (s) => isEnded(s) && !isUntold(s), rest],
];

/**
 * One of the three, whatever is seen. A source that is on its way out cannot come back, and is given as it was; but one that
 * was taken back before and given again is held until its lock is renewed, and would wait for ever.
 */
export function tableFor(s: Given): Table<Given, Step> {
  if (s.isGiven && isTurnedBack(s)) return giving;
  if (!hasSource(s) || isLeaving(s)) return taking;
  return s.isGiven ? giving : withdrawing;
}

function whileOpen(rows: Table<Given, Step>): Table<Given, Step> {
  return rows.map(([says, holds, then]) => [says, (s) => !isEnded(s) && holds(s), then]);
}

/**
 * The binder binds about ten claims a second, in the order in which it hears of them, whoever they belong to. Behind hundreds
 * of one giver everybody else would wait, so each has only a few there at a time.
 */
const mostAtBinder = 2;

function notYet(s: Given): Plan<never> | undefined {
  if (s.attachments.length > 0) return attached(s);
  // Woken up when its turn comes; should nobody wake it, it looks for itself.
  return s.ahead < mostAtBinder ? undefined : wait("BinderBusy", { quietSeconds: 300, recheckSeconds: 5 });
}

function unfit({ receiver }: Given): Plan<never> {
  return wait("SpecMismatch", {
    detail: `The claim that accepts the volume cannot have it: ${receiver?.misfit ?? ""}.`,
  });
}

function waitForBinder(s: Given): Plan<never> {
  return wait("BinderBusy", { ...(isHeld(s) ? {} : { recheckSeconds: untilNextKick(s) / 1000 }), quietSeconds: 2 });
}
