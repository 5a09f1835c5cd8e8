import type { ConditionWish } from "../../api/conditions.ts";
import type { Condition } from "../../api/gen/meta.ts";
import { type Reason, reasons } from "../../api/reasons.ts";
import type { Plan } from "../../runtime/table.ts";
import { isReady } from "../content.ts";
import { objectionTo } from "./gates.ts";
import { isSilent } from "./life.ts";
import type { Step } from "./rules.ts";
import type { Seen } from "./seen.ts";
import type { Ordered } from "./watches.ts";

/** These come and go; before the first time nobody hears of them. */
const inTheWay = ["SecretConflict", "QuotaExceeded"] as const satisfies readonly Reason[];

type Wish = ConditionWish & { readonly status: "True" | "False" };

/** What is done for a Bucket and what is not, one by one. */
export function conditionsOf(bucket: Ordered, seen: Seen, plan: Plan<Step>, message: string): readonly Wish[] {
  const { content, bucketClass } = seen;
  const why = whyOf(plan);
  const say = (type: string, is: boolean): Wish =>
    is ? settled(type) : { type, status: "False", reason: why, message };
  const isKnown = content !== undefined || (bucketClass !== undefined && objectionTo(bucketClass) === undefined);
  const comingAndGoing = inTheWay.filter((type) => type === why || conditionIn(bucket.status?.conditions, type));
  return [
    say("ClassResolved", isKnown),
    ...driverConditions(bucket, seen, why),
    say("BucketReady", content !== undefined && isReady(content)),
    say("SecretPublished", why === "Settled"),
    ...comingAndGoing.map((type): Wish => ({ type, status: type === why ? "True" : "False", reason: why, message })),
    ...(isPrefixIgnored(bucket, seen) ? [inWords("PrefixIgnored", "True", "PrefixIgnored")] : []),
  ];
}

/** How long it has been in the way by now; undefined when nothing of that kind is. */
export function secondsInTheWay(why: Reason, conditions: readonly Condition[] | undefined, now: Date) {
  const found = inTheWay.some((type) => type === why) ? conditionIn(conditions, why) : undefined;
  return found === undefined ? undefined : (now.getTime() - Date.parse(found.lastTransitionTime)) / 1000;
}

export function whyOf(plan: Plan<Step>): Reason {
  return plan.do === "wait" || plan.do === "refuse" ? plan.why : "Working";
}

/** Of a bound Bucket it stays as it was: a driver that starts again must not make all of them be written anew. */
function driverConditions({ status }: Ordered, seen: Seen, why: Reason): readonly Wish[] {
  const isAtRest = why === "Settled" && status?.phase === "Bound";
  if (seen.content?.spec.provisioner === undefined || isAtRest) return [];
  if (seen.driver === undefined) return [inWords("DriverAvailable", "False", "DriverMissing")];
  // What has just bound it is not silent, whatever its Lease said before.
  if (why !== "Settled" && isSilent(seen)) return [inWords("DriverAvailable", "False", "DriverSilent")];
  return [settled("DriverAvailable")];
}

function isPrefixIgnored({ spec }: Ordered, { content }: Seen): boolean {
  return (spec.bucketPrefix ?? "") !== "" && content !== undefined && content.spec.mode !== "Greenfield";
}

function inWords(type: string, status: "True" | "False", reason: Reason): Wish {
  const { says, next } = reasons[reason];
  return { type, status, reason, message: `${says} ${next}` };
}

function settled(type: string): Wish {
  return { type, status: "True", reason: "Settled", message: reasons.Settled.says };
}

function conditionIn(conditions: readonly Condition[] | undefined, wanted: string): Condition | undefined {
  return conditions?.find(({ type }) => type === wanted);
}
