import { rest, step, type Table, wait } from "../../runtime/table.ts";
import { closedGate, mayMove } from "./gates.ts";
import {
  cameBackByUse,
  isRecorded,
  movedByUse,
  movedTarget,
  movedTooEarly,
  movingSource,
  type Proposed,
} from "./seen.ts";

export type Step =
  | "remove-request"
  | "end-move"
  | "remove-empty-target"
  | "record-move"
  | "remove-empty-source"
  | "make-empty-target"
  | "consume-approval"
  | "reserve-use"
  | "lock-volume";

type Say = (s: Proposed) => boolean;

const hasEnded: Say = ({ request }) => request.status?.completionTime !== undefined;
const isUsedByUs: Say = ({ approval, request }) =>
  approval?.status?.consumed === true && approval.status.requestUID === request.metadata.uid;
/** Neither ended, nor under way, nor about to be told that it is complete. */
const isOpen: Say = (s) => !hasEnded(s) && s.journal === undefined && !isOver(s) && !isLeaving(s);
const isOver: Say = (s) => isUsedByUs(s) || movedByUse(s) || movedTooEarly(s) || cameBackByUse(s);
const isApproved: Say = (s) => s.approval !== undefined || s.standing !== undefined;
const isLeaving: Say = ({ request }) => request.metadata.deletionTimestamp !== undefined;
const hasMoved: Say = (s) => movedTarget(s) !== undefined;
const isMoving: Say = (s) => movingSource(s) !== undefined;
const sourceIsBound: Say = ({ source }) => (source?.spec?.volumeName ?? "") !== "";
/** A claim under the source's name that was there before the target is not what has moved, whatever the target says. */
const sourceIsGone: Say = (s) => s.source === undefined || bornAt(s.source) >= bornAt(movedTarget(s));
const targetIsEmpty: Say = (s) => {
  const { spec, metadata } = movedTarget(s) ?? {};
  return (spec?.volumeName ?? "") === "" && metadata?.deletionTimestamp === undefined;
};
const sourceStays: Say = ({ source }) => source !== undefined && source.metadata.deletionTimestamp === undefined;

export function secondsToLive({ request, now }: Proposed): number | undefined {
  const seconds = request.spec.options?.ttlSecondsAfterFinished;
  if (seconds === undefined) return undefined;
  return (Date.parse(request.status?.completionTime ?? "") - now.getTime()) / 1000 + seconds;
}

/** What can happen to a request before its volume is locked, and after it has ended. */
export const proposed: Table<Proposed, Step> = [
  [
    "its time after the end is over",
    (s) => hasEnded(s) && !isLeaving(s) && (secondsToLive(s) ?? 1) <= 0,
    step("remove-request"),
  ],
  [
    "the empty claim moved, and then its approval was withdrawn",
    (s) => !hasEnded(s) && !isLeaving(s) && s.journal === undefined && movedTooEarly(s),
    step("end-move"),
  ],
  [
    "the empty target is not wanted any more",
    (s) => isOpen(s) && !isApproved(s) && isMoving(s) && sourceStays(s) && targetIsEmpty(s),
    step("remove-empty-target"),
  ],
  ["nobody has approved it", (s) => isOpen(s) && !isApproved(s), wait("AwaitingApproval", { quietSeconds: 1 })],
  [
    "the empty source has got a volume after all",
    (s) => isOpen(s) && isMoving(s) && sourceIsBound(s) && targetIsEmpty(s),
    step("remove-empty-target"),
  ],
  [
    "the empty claim has moved",
    (s) => isOpen(s) && s.approval !== undefined && hasMoved(s) && !isMoving(s) && sourceIsGone(s),
    step("consume-approval"),
  ],
  ["something is in the way", (s) => isOpen(s) && closedGate(s) !== undefined, (s) => closedGate(s) ?? rest],
  [
    "no use of the policy is reserved for it",
    (s) => isOpen(s) && s.standing !== undefined && s.standing.use === undefined,
    step("reserve-use"),
  ],
  [
    "nothing tells yet that the empty source goes",
    (s) => isOpen(s) && isMoving(s) && mayMove(s) && !isRecorded(s),
    step("record-move"),
  ],
  ["the empty source is still there", (s) => isOpen(s) && isMoving(s) && mayMove(s), step("remove-empty-source")],
  ["the claim is empty and may move", (s) => isOpen(s) && mayMove(s), step("make-empty-target")],
  ["the volume is not locked", isOpen, step("lock-volume")],
  ["the transfer has begun or ended", (s) => !isOpen(s), (s) => untilRemoved(s)],
];

function bornAt(claim: Proposed["source"]): number {
  return Date.parse(claim?.metadata.creationTimestamp ?? "");
}

function untilRemoved(s: Proposed) {
  // Its volume will be seen in a moment, and then it is told by the loop of its volume, when the transfer has ended.
  const isLate = !hasEnded(s) && s.journal === undefined && s.approval?.status?.sourceUID !== undefined;
  if (isLate) return wait("Settled", { quietSeconds: 2 });
  const seconds = hasEnded(s) ? secondsToLive(s) : undefined;
  return seconds === undefined ? rest : wait("Settled", { recheckSeconds: seconds });
}
