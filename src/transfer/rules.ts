import { type Plan, rest, step, type Table, wait } from "../runtime/table.ts";
import { hasChanged } from "./claim-shape.ts";
import { type ClaimSeen, isTurned, type UnderWay } from "./seen.ts";

export type Step =
  | "retain-volume"
  | "renew-lock"
  | "turn-back"
  | "reserve-target"
  | "fence-source"
  | "hand-over"
  | "kick-binder"
  | "consume-approval"
  | "settle-volume"
  | "remove-target"
  | "restore-volume"
  | "return-claim"
  | "point-back"
  | "mark-orphaned"
  | "remove-late-target";

type Say = (s: UnderWay) => boolean;

const hasSource: Say = ({ source }) => source.is === "there";
const isFenced: Say = ({ source }) => source.is === "there" && source.isLeaving;
const isThere = (end: ClaimSeen) => end.is === "there" && !end.isLeaving;
const isLeaving = (end: ClaimSeen) => end.is === "there" && end.isLeaving;
const isBound = (end: ClaimSeen) => isThere(end) && end.is === "there" && end.isBound;
const pointsAt = (s: UnderWay, end: ClaimSeen) =>
  end.is === "there" && s.volume.spec?.claimRef?.uid === end.claim.metadata.uid;
const isEnded: Say = ({ journal }) => journal.outcome !== undefined;
const couldBeReclaimed: Say = (s) => s.volume.spec?.persistentVolumeReclaimPolicy !== "Retain";
/** An approval that is used has already handed a volume over, even if the journal of that transfer went with its volume. */
export const isConsented: Say = ({ request, approval, standing }) =>
  request !== undefined && (approval === undefined ? standing !== undefined : !isUsed(approval));
const isBeingDeleted: Say = ({ volume }) => volume.metadata.deletionTimestamp !== undefined;
/** It can still be made: nobody has had it and deleted it, and both sides still want it. */
const canBeReserved: Say = (s) => s.target.is === "missing" && s.journal.target.uid === undefined && isConsented(s);
/** What was agreed to is the source as it was: one that grows, is modified or is kept out since goes back to the gates. */
const sourceIsAnother: Say = ({ source, journal }) => source.is === "there" && hasChanged(source.claim, journal.claim);
const canBeReturned: Say = (s) => s.sourceNamespaceStays && s.returned.is !== "foreign";

/** With the source there, one that goes may come again. */
const targetIsPossible: Say = (s) =>
  s.targetNamespaceStays && (isThere(s.target) || canBeReserved(s) || (hasSource(s) && isLeaving(s.target)));
const mayStepBack: Say = (s) => hasSource(s) && (!isConsented(s) || isBeingDeleted(s) || sourceIsAnother(s));
/** A claim that looks like one of ours proves nothing while the target is there: the giver may have planted it. */
const isGoingBack: Say = (s) => isThere(s.returned) && (pointsAt(s, s.returned) || !isThere(s.target));

/**
 * Before the source is given up, everybody may still step back. Afterwards the volume goes back only if the target has
 * become impossible, and never once the target is bound to it.
 */
export const isUndoing: Say = (s) => {
  if (isFenced(s) || isBound(s.target)) return false;
  return isGoingBack(s) || !targetIsPossible(s) || mayStepBack(s);
};

/** A kick that comes too early costs the binder a look, so they come at longer and longer intervals. */
const pauseAfterKick = (times: number) => (times === 0 ? 20 : Math.min(100 * 2 ** (times - 1), 5000));
export const untilNextKick = ({ kicked, now }: Pick<UnderWay, "kicked" | "now">): number =>
  kicked === undefined ? 0 : kicked.at + pauseAfterKick(kicked.times) - now.getTime();
/** The claims are seen later than the volume, or somebody has moved it: nothing is given up, and no policy put back. */
const isBereft: Say = (s) => isThere(s.source) && !isBound(s.source);
const bereft = wait("SourceNotBound", { detail: "The volume is not bound to the source claim.", quietSeconds: 2 });
const waitForBinder = (s: UnderWay) => wait("BinderBusy", { recheckSeconds: untilNextKick(s) / 1000, quietSeconds: 2 });

/** Deletions and patches may arrive after they were given up. Whoever turns, either way, first makes the other way's unfit. */
const isTurnedBack: Say = ({ source, journal }) => source.is === "there" && isTurned(source.claim, journal);

/** Nothing is ever done to a volume whose transfer has ended, whatever becomes of its claims. */
const afterwards: Table<UnderWay, Step> = [
  ["a target came when all was undone", (s) => s.lateTarget !== undefined, step("remove-late-target")],
  ["the transfer has ended", isEnded, rest],
];

/** What can happen to a volume that still has its source. */
export const giving: Table<UnderWay, Step> = [
  ...whileOpen([
    ["the volume could be reclaimed", couldBeReclaimed, step("retain-volume")],
    ["the source is on its way out", isFenced, (s) => leaving(s)],
    ["the source is there without its volume", isBereft, bereft],
    ["pods still use the source", (s) => s.users.length > 0, (s) => inUse(s)],
    ["the target is on its way out", (s) => isLeaving(s.target), wait("TargetLeaving", { quietSeconds: 2 })],
    ["the target is not reserved", (s) => !isThere(s.target) && comesNow(s), step("reserve-target")],
    ["a way back may still be on its way", isTurnedBack, step("renew-lock")],
    ["the source is still there", hasSource, step("fence-source")],
  ]),
  ...afterwards,
];

/** What can happen to it once the source is gone, on its way to the target. */
export const taking: Table<UnderWay, Step> = [
  ...whileOpen([
    ["the volume could be reclaimed", couldBeReclaimed, step("retain-volume")],
    ["the target is not reserved", (s) => !isThere(s.target), step("reserve-target")],
    ["the volume is still attached", (s) => s.attachments.length > 0 && !pointsAt(s, s.target), (s) => attached(s)],
    ["the volume does not point at the target", (s) => !pointsAt(s, s.target), step("hand-over")],
    ["the binder was asked a moment ago", (s) => !isBound(s.target) && untilNextKick(s) > 0, waitForBinder],
    ["the binder has not bound the target", (s) => !isBound(s.target), step("kick-binder")],
    [
      "the approval could be used again",
      (s) => s.approval !== undefined && !isUsed(s.approval),
      step("consume-approval"),
    ],
    ["the reclaim policy is not back", () => true, step("settle-volume")],
  ]),
  ...afterwards,
];

/** What can happen to it on its way back. */
export const undoing: Table<UnderWay, Step> = [
  ...whileOpen([
    ["the volume could be reclaimed", couldBeReclaimed, step("retain-volume")],
    ["a target is left over", (s) => isThere(s.target), step("remove-target")],
    ["the source is there without its volume", isBereft, bereft],
    ["the source may still be given up", (s) => hasSource(s) && !isTurnedBack(s), step("turn-back")],
    ["the source has kept its volume", hasSource, step("restore-volume")],
    [
      "a claim of the transfer is on its way out",
      (s) => isLeaving(s.target) || isLeaving(s.returned),
      wait("TargetLeaving"),
    ],
    ["nobody is there to get it back", (s) => !isThere(s.returned) && !canBeReturned(s), step("mark-orphaned")],
    ["the source is not there again", (s) => !isThere(s.returned), step("return-claim")],
    ["the volume does not point at the source", (s) => !pointsAt(s, s.returned), step("point-back")],
    ["the binder was asked a moment ago", (s) => !isBound(s.returned) && untilNextKick(s) > 0, waitForBinder],
    ["the binder has not bound the source", (s) => !isBound(s.returned), step("kick-binder")],
    ["the reclaim policy is not back", () => true, step("restore-volume")],
  ]),
  ...afterwards,
];

/** One of the three, whatever is seen. */
export function tableFor(s: UnderWay): Table<UnderWay, Step> {
  if (isUndoing(s)) return undoing;
  return hasSource(s) ? giving : taking;
}

function whileOpen(rows: Table<UnderWay, Step>): Table<UnderWay, Step> {
  return rows.map(([says, holds, then]) => [says, (s) => !isEnded(s) && holds(s), then]);
}

/** Where one namespace has no room for both claims the target waits for the source to go; otherwise it comes first. */
function comesNow(s: UnderWay): boolean {
  return s.journal.targetLast !== true;
}

function isUsed({ status }: NonNullable<UnderWay["approval"]>): boolean {
  return status?.consumed === true;
}

function leaving({ source, users }: UnderWay): Plan<never> {
  const held = source.is === "there" ? (source.claim.metadata.finalizers ?? []) : [];
  const detail = users.length > 0 ? `used by pods ${podNames(users)}` : `held by ${held.join(", ")}`;
  return wait("SourceLeaving", { detail: `The source claim is being deleted; it is ${detail}.`, quietSeconds: 2 });
}

function inUse({ users }: UnderWay): Plan<never> {
  return wait("SourceInUse", { detail: `Pods still use the source claim: ${podNames(users)}.` });
}

export function attached({ attachments }: Pick<UnderWay, "attachments">): Plan<never> {
  const nodes = attachments.map(({ spec }) => spec.nodeName).join(", ");
  return wait("VolumeAttached", { detail: `The volume is still attached to ${nodes}.`, quietSeconds: 2 });
}

/** The first few; a message is no place for hundreds. */
export function podNames(pods: UnderWay["users"]): string {
  const names = pods.slice(0, 5).map(({ metadata: { name }, phase }) => `${name} (${phase})`);
  return `${names.join(", ")}${pods.length > 5 ? ` and ${pods.length - 5} more` : ""}`;
}
