import { bucketFinalizer } from "../../api/buckets/names.ts";
import { isReason } from "../../api/reasons.ts";
import { type Plan, refuse, rest, step, type Table, type Waiting, wait } from "../../runtime/table.ts";
import { hasBegun, holds, isLeaving, isReady, troubleIn } from "../content.ts";
import { objectionTo } from "./gates.ts";
import { isSilent, isWondering, secondsToWonder } from "./life.ts";
import { type Seen, secretCheckSeconds } from "./seen.ts";

export type Step =
  | "hold-bucket"
  | "make-content"
  | "check-static-secret"
  | "look-for-driver"
  | "publish-secret"
  | "delete-content"
  | "release-content"
  | "tell-driver"
  | "let-content-go"
  | "remove-secret"
  | "let-bucket-go";

type Say = (s: Seen) => boolean;

const isHeld = (object: Seen["bucket"] | Seen["content"]) =>
  object?.metadata.finalizers?.includes(bucketFinalizer) === true;
const bucketStays: Say = ({ bucket }) => bucket !== undefined && !isLeaving(bucket);
const hadContent: Say = ({ bucket }) => bucket?.status?.bucketContentName !== undefined;
const contentIsReady: Say = ({ content }) => content !== undefined && isReady(content);
const isStatic: Say = ({ content }) => content?.spec.mode === "Static";
const contentIsReleased: Say = ({ content }) => content !== undefined && holds(content, "Released");
/** Whoever has written that it begins is the one who ends it. */
const contentIsOurs: Say = (s) => isStatic(s) || (s.content !== undefined && !hasBegun(s.content));
const isUnderWay: Say = (s) => s.content !== undefined && !contentIsReleased(s);

export const secondsToCheck = ({ publishedAt, now }: Seen): number =>
  publishedAt === undefined ? 0 : secretCheckSeconds - (now.getTime() - publishedAt.getTime()) / 1000;

/** From a Bucket to its Secret. */
export const providing: Table<Seen, Step> = [
  ["it could go before its keys do", ({ bucket }) => !isHeld(bucket), step("hold-bucket")],
  [
    "another content has the name of its own",
    ({ content, namesake }) => content === undefined && namesake !== undefined,
    ({ namesake }) =>
      refuse("ContentTaken", `The BucketContent ${namesake?.metadata.name ?? ""} is not this Bucket's.`),
  ],
  // Another one would be another bucket, and an empty one.
  ["its content is gone", (s) => s.content === undefined && hadContent(s), (s) => lost(s)],
  [
    "its class is not there",
    ({ content, bucketClass }) => content === undefined && bucketClass === undefined,
    ({ bucket }) =>
      wait("BucketClassMissing", { detail: `There is no BucketClass ${bucket?.spec.bucketClassName ?? ""}.` }),
  ],
  [
    "its class cannot be used",
    ({ content, bucketClass }) => content === undefined && objectionTo(bucketClass) !== undefined,
    ({ bucketClass }) => objected(bucketClass),
  ],
  ["it has no content", ({ content }) => content === undefined, step("make-content")],
  [
    "nobody has looked at the Secret of its class",
    (s) => !contentIsReady(s) && isStatic(s),
    step("check-static-secret"),
  ],
  ["nobody knows whether its driver lives", (s) => !contentIsReady(s) && isWondering(s), step("look-for-driver")],
  ["its content is not ready", (s) => !contentIsReady(s), (s) => waitsForDriver(s, "BucketPending")],
  ["its Secret is not published, or was last seen long ago", (s) => secondsToCheck(s) <= 0, step("publish-secret")],
  ["it is bound", contentIsReady, (s) => wait("Settled", { recheckSeconds: secondsToCheck(s) })],
];

/** From the end of a Bucket to nothing: its driver takes back what it gave, then its content goes, then its Secret. */
export const releasing: Table<Seen, Step> = [
  ["its content is still there", ({ content }) => content !== undefined && !isLeaving(content), step("delete-content")],
  ["nobody has begun with its content", (s) => isUnderWay(s) && contentIsOurs(s), step("release-content")],
  [
    "its driver does not know that it goes",
    (s) => isUnderWay(s) && s.content !== undefined && !holds(s.content, "BucketLeaving"),
    step("tell-driver"),
  ],
  ["nobody knows whether its driver lives", (s) => isUnderWay(s) && isWondering(s), step("look-for-driver")],
  ["its driver is not done", isUnderWay, (s) => waitsForDriver(s, "BucketReleasing")],
  ["its content is released", ({ content }) => content !== undefined && isHeld(content), step("let-content-go")],
  [
    "somebody else holds its content",
    ({ content }) => content !== undefined,
    wait("ContentLeaving", { quietSeconds: 2 }),
  ],
  ["its Secret may still be there", (s) => isHeld(s.bucket) && !s.secretIsGone, step("remove-secret")],
  ["nothing is left of it", ({ bucket }) => isHeld(bucket), step("let-bucket-go")],
  ["it may go", ({ bucket, content }) => content === undefined && !isHeld(bucket), rest],
];

/** A content that somebody deletes serves its Bucket on, unless nobody has begun with it: then the Bucket gets another one. */
export function tableFor(s: Seen): Table<Seen, Step> {
  return bucketStays(s) && !contentGoesAlone(s) ? providing : releasing;
}

function contentGoesAlone(s: Seen): boolean {
  if (s.content === undefined || !isLeaving(s.content)) return false;
  return contentIsReleased(s) || (!isStatic(s) && !hasBegun(s.content));
}

function lost({ bucket }: Seen): Plan<never> {
  const name = bucket?.status?.bucketContentName ?? "";
  return wait("ContentLost", { detail: `The BucketContent ${name} is gone, and its keys with it.`, quietSeconds: 2 });
}

function objected(bucketClass: Seen["bucketClass"]): Plan<never> {
  const found = objectionTo(bucketClass);
  return found === undefined ? rest : refuse(found.why, found.detail);
}

/** In the words of its sidecar, because whoever owns the Bucket may not read the content. */
function waitsForDriver(s: Seen, otherwise: "BucketPending" | "BucketReleasing"): Plan<never> {
  const { provisioner: name = "" } = s.content?.spec ?? {};
  const recheckSeconds = secondsToWonder(s);
  const more: Waiting = recheckSeconds === undefined ? { quietSeconds: 1 } : { quietSeconds: 1, recheckSeconds };
  if (s.driver === undefined) return wait("DriverMissing", { ...more, detail: `No driver ${name} is registered.` });
  if (isSilent(s)) return wait("DriverSilent", { ...more, detail: `Nobody has heard of the driver ${name} lately.` });
  const trouble = troubleIn(s.content?.status?.conditions ?? []);
  if (trouble === undefined) return wait(otherwise, more);
  return wait(isReason(trouble.reason) ? trouble.reason : otherwise, { ...more, detail: trouble.message });
}
