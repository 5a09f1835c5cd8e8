import { type Plan, refuse, rest, step, type Table, wait } from "../../runtime/table.ts";
import { hasBegun, holds, isGivenUp } from "../content.ts";
import { unsupported } from "./request.ts";
import { circumstancesOf, type Failed, type Seen } from "./seen.ts";

export type Step =
  | "record-start"
  | "create-bucket"
  | "grant-access"
  | "store-secret"
  | "point-at-secret"
  | "revoke-access"
  | "delete-bucket"
  | "remove-secret"
  | "tell-release";

type Say = (s: Seen) => boolean;

const hasStarted: Say = ({ content }) => hasBegun(content);
const isReleased: Say = ({ content }) => holds(content, "Released");
const isNew: Say = ({ content }) => content.spec.mode === "Greenfield";
const hasSecret: Say = ({ content }) => content.spec.secretRef !== undefined;
/** Filled in by a sidecar, and not by whoever makes a content. */
const cameWithAnswers: Say = (s) => hasSecret(s) || (isNew(s) && s.content.spec.bucketIdentifier !== undefined);
const accountIsKnown: Say = ({ content }) => content.status?.accountID !== undefined;
const isUnderWay: Say = (s) => hasStarted(s) && !isReleased(s);
/** Nobody ever had a key to it, so nothing is in it: it goes, whatever its policy says. */
const bucketGoes: Say = (s) => isNew(s) && (s.content.spec.releasePolicy === "Delete" || !hasSecret(s));

/** Slower and slower up to a minute; what was refused as it is, after ten minutes, or when the driver has come back. */
export function secondsToRetry({ why, times, at }: Failed, now: Date): number {
  const isHopeful = why === "DriverRetried" || why === "DriverKeepsFailing";
  const pause = isHopeful ? Math.min(0.5 * 2 ** (times - 1), 60) : 600;
  return pause - (now.getTime() - at.getTime()) / 1000;
}

const saidNo: Say = (s) => {
  const { failed } = s.progress;
  return failed?.circumstances === circumstancesOf(s) && secondsToRetry(failed, s.now) > 0;
};

/** From a content to a Secret with keys. It is written down that the driver is asked before it is. */
export const granting: Table<Seen, Step> = [
  [
    "the driver's name is not ours yet",
    ({ isRegistered }) => !isRegistered,
    wait("NotRegistered", { quietSeconds: 5 }),
  ],
  ["the driver said no a moment ago", saidNo, (s) => toldNo(s)],
  // From a back-up, or made by hand: the bucket that it names may be anybody's.
  [
    "it came with a bucket or keys, and nobody here has begun with it",
    (s) => !hasStarted(s) && cameWithAnswers(s),
    refuse("ContentForeign"),
  ],
  ["the driver cannot do what its class asks", (s) => !hasSecret(s) && unsupported(s) !== undefined, (s) => unable(s)],
  ["nothing tells yet that it begins", (s) => !hasStarted(s), step("record-start")],
  [
    "its bucket is not made",
    (s) => isNew(s) && s.content.spec.bucketIdentifier === undefined && s.progress.bucket === undefined,
    step("create-bucket"),
  ],
  [
    "its keys are not granted",
    (s) => !(hasSecret(s) && accountIsKnown(s)) && s.progress.access === undefined,
    step("grant-access"),
  ],
  ["its Secret is not stored", (s) => !hasSecret(s) && s.progress.secretIsStored !== true, step("store-secret")],
  ["nothing points at its Secret", (s) => !hasSecret(s), step("point-at-secret")],
  ["it is ready", hasSecret, rest],
];

/** From the end of a content to nothing: first the keys, then the bucket, then what is known of them. */
export const revoking: Table<Seen, Step> = [
  [
    "the driver's name is not ours yet",
    ({ isRegistered }) => !isRegistered,
    wait("NotRegistered", { quietSeconds: 5 }),
  ],
  ["the driver said no a moment ago", (s) => isUnderWay(s) && saidNo(s), (s) => toldNo(s)],
  ["its keys may be good", (s) => isUnderWay(s) && s.progress.isRevoked !== true, step("revoke-access")],
  [
    "its bucket goes with it",
    (s) => isUnderWay(s) && bucketGoes(s) && s.progress.isDeleted !== true,
    step("delete-bucket"),
  ],
  ["its Secret may be there", (s) => isUnderWay(s) && s.progress.secretIsGone !== true, step("remove-secret")],
  ["nobody is told that it is released", isUnderWay, step("tell-release")],
  ["it is released, or was never begun", (s) => !isUnderWay(s), rest],
];

export function tableFor(s: Seen): Table<Seen, Step> {
  return isGivenUp(s.content) ? revoking : granting;
}

function toldNo({ progress: { failed }, now }: Seen): Plan<never> {
  if (failed === undefined) return rest;
  const { why, message: detail } = failed;
  return wait(why, { detail, recheckSeconds: secondsToRetry(failed, now) });
}

function unable(s: Seen): Plan<never> {
  const found = unsupported(s);
  return found === undefined ? rest : refuse(found.why, found.detail);
}
