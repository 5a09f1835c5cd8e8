import { caseOf } from "../../api/buckets/class-case.ts";
import { bucketFinalizer } from "../../api/buckets/names.ts";
import { type Plan, refuse, rest, step, type Table, wait } from "../../runtime/table.ts";
import { holds, isLeaving, isReady } from "../content.ts";
import { type Seen, secretCheckSeconds } from "./seen.ts";

export type Step =
  | "hold-bucket"
  | "make-content"
  | "check-static-secret"
  | "publish-secret"
  | "delete-content"
  | "release-content"
  | "let-content-go"
  | "remove-secret"
  | "let-bucket-go";

type Say = (s: Seen) => boolean;

const isHeld = (object: Seen["bucket"] | Seen["content"]) =>
  object?.metadata.finalizers?.includes(bucketFinalizer) === true;
const bucketStays: Say = ({ bucket }) => bucket !== undefined && !isLeaving(bucket);
const hadContent: Say = ({ bucket }) => bucket?.status?.bucketContentName !== undefined;
const contentIsReady: Say = ({ content }) => content !== undefined && isReady(content);
const contentIsReleased: Say = ({ content }) => content !== undefined && holds(content, "Released");
/** Whoever has written that it begins is the one who ends it. */
const contentIsOurs: Say = ({ content }) =>
  content?.spec.mode === "Static" || (content !== undefined && !holds(content, "ProvisioningStarted"));

export const secondsToCheck = ({ publishedAt, now }: Seen): number =>
  publishedAt === undefined ? 0 : secretCheckSeconds - (now.getTime() - publishedAt.getTime()) / 1000;

/** From a Bucket to its Secret. */
export const providing: Table<Seen, Step> = [
  ["it could go before its keys do", ({ bucket }) => !isHeld(bucket), step("hold-bucket")],
  [
    "another content has the name of its own",
    ({ content, namesake }) => content === undefined && namesake !== undefined,
    ({ namesake }) => refuse("ContentTaken", `The BucketContent ${namesake?.metadata.name ?? ""} is another Bucket's.`),
  ],
  // Another one would be another bucket, and an empty one.
  ["its content is gone", (s) => s.content === undefined && hadContent(s), wait("ContentLost", { quietSeconds: 2 })],
  [
    "its class is not there",
    ({ content, bucketClass }) => content === undefined && bucketClass === undefined,
    wait("BucketClassMissing"),
  ],
  ["its class means nothing", ({ content, ...s }) => content === undefined && whyNot(s) !== undefined, (s) => unfit(s)],
  ["it has no content", ({ content }) => content === undefined, step("make-content")],
  [
    "nobody has looked at the Secret of its class",
    (s) => !contentIsReady(s) && s.content?.spec.mode === "Static",
    step("check-static-secret"),
  ],
  ["its content is not ready", (s) => !contentIsReady(s), (s) => unready(s)],
  ["its Secret is not published, or was last seen long ago", (s) => secondsToCheck(s) <= 0, step("publish-secret")],
  ["it is bound", contentIsReady, (s) => wait("Settled", { recheckSeconds: secondsToCheck(s) })],
];

/** From the end of a Bucket, or of its content, to nothing. */
export const releasing: Table<Seen, Step> = [
  ["its content is still there", ({ content }) => content !== undefined && !isLeaving(content), step("delete-content")],
  [
    "nobody has begun with its content",
    (s) => s.content !== undefined && !contentIsReleased(s) && contentIsOurs(s),
    step("release-content"),
  ],
  ["its driver is not done", (s) => s.content !== undefined && !contentIsReleased(s), (s) => unreleased(s)],
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

/** A content that goes takes everything with it, whatever becomes of its Bucket. */
export function tableFor(s: Seen): Table<Seen, Step> {
  return bucketStays(s) && (s.content === undefined || !isLeaving(s.content)) ? providing : releasing;
}

function whyNot({ bucketClass }: Pick<Seen, "bucketClass">): string | undefined {
  const found = bucketClass === undefined ? undefined : caseOf(bucketClass);
  return found?.is === "Undefined" ? found.why : undefined;
}

function unfit({ bucketClass, ...s }: Seen): Plan<never> {
  const name = bucketClass?.metadata.name ?? "";
  return refuse(
    "BucketClassUndefined",
    `The BucketClass ${name} cannot be used: ${whyNot({ bucketClass, ...s }) ?? ""}`,
  );
}

function unready({ content, driver }: Seen): Plan<never> {
  const { provisioner = "" } = content?.spec ?? {};
  if (driver === undefined)
    return wait("DriverMissing", { detail: `No driver ${provisioner} is registered.`, quietSeconds: 2 });
  const { message = "" } = content?.status ?? {};
  return wait("BucketPending", { ...(message === "" ? {} : { detail: message }), quietSeconds: 1 });
}

function unreleased({ content, driver }: Seen): Plan<never> {
  const { provisioner = "" } = content?.spec ?? {};
  if (driver === undefined)
    return wait("DriverMissing", {
      detail: `No driver ${provisioner} is registered, and it alone can take the keys back.`,
      quietSeconds: 2,
    });
  const { message = "" } = content?.status ?? {};
  return wait("BucketReleasing", { ...(message === "" ? {} : { detail: message }), quietSeconds: 1 });
}
