import { withCondition } from "../../api/conditions.ts";
import { defined } from "../../api/defined.ts";
import { type BucketContentStatus, type BucketStatus, bucketContents, buckets } from "../../api/gen/cosi.ts";
import type { Condition } from "../../api/gen/meta.ts";
import { type Reason, reasons } from "../../api/reasons.ts";
import type { Report } from "../../runtime/report.ts";
import type { Decision, Plan } from "../../runtime/table.ts";
import { type Content, type ContentCondition, holds, isLeaving, isReady, phaseOf } from "../content.ts";
import type { Step } from "./rules.ts";
import type { Seen } from "./seen.ts";
import type { Ordered } from "./watches.ts";

type Phase = NonNullable<BucketStatus["phase"]>;

/** The Bucket's whole status, and that its content is bound. */
export function report(seen: Seen, decision: Decision<Step>): readonly Report[] {
  const { bucket, content } = seen;
  const isBound = decision.plan.do === "wait" && decision.plan.why === "Settled";
  const note = noteOn(seen, decision.plan);
  return [
    ...(bucket === undefined || decision.plan.do === "rest"
      ? []
      : [{ resource: buckets, object: bucket, status: statusOf(bucket, seen, decision), ...defined({ note }) }]),
    ...(isBound && content !== undefined && !holds(content, "Bound")
      ? [{ resource: bucketContents, object: content, status: told(content, "Bound", seen.now) }]
      : []),
  ];
}

export function readyStatus(content: Content, now: Date): BucketContentStatus {
  return told(content, "AccessGranted", now);
}

export function releasedStatus(content: Content, now: Date): BucketContentStatus {
  return told(content, "Released", now);
}

function told({ status, metadata: { generation } }: Content, type: ContentCondition, now: Date): BucketContentStatus {
  const { says: message } = reasons.Settled;
  const wish = { type, status: "True", reason: "Settled", message, observedGeneration: generation } as const;
  const conditions = withCondition(status?.conditions, wish, now);
  return { ...status, phase: phaseOf(conditions), conditions, message, ...defined({ observedGeneration: generation }) };
}

function statusOf(bucket: Ordered, seen: Seen, { row, plan }: Decision<Step>): BucketStatus {
  const { generation: observedGeneration } = bucket.metadata;
  const bucketContentName = seen.content?.metadata.name ?? bucket.status?.bucketContentName;
  const message = messageOf(plan, row);
  const conditions = conditionsOf(seen, plan, message).reduce(
    (before, wish) => withCondition(before, { ...wish, observedGeneration }, seen.now),
    bucket.status?.conditions ?? [],
  );
  return { phase: bucketPhase(seen, plan), message, conditions, ...defined({ bucketContentName, observedGeneration }) };
}

type Wish = Pick<Condition, "type" | "reason" | "message"> & { readonly status: "True" | "False" };

function conditionsOf(
  { bucket, bucketClass, content, driver }: Seen,
  plan: Plan<Step>,
  message: string,
): readonly Wish[] {
  const why = whyOf(plan);
  const say = (type: string, is: boolean, otherwise: Reason = why): Wish => {
    const reason = is ? "Settled" : otherwise;
    return { type, status: is ? "True" : "False", reason, message: is ? reasons.Settled.says : message };
  };
  const isKnown = content !== undefined || (bucketClass !== undefined && why !== "BucketClassUndefined");
  const inConflict = why === "SecretConflict";
  const wasInConflict = bucket?.status?.conditions?.some(({ type }) => type === "SecretConflict") === true;
  const isDynamic = content?.spec.provisioner !== undefined;
  return [
    say("ClassResolved", isKnown),
    ...(isDynamic ? [say("DriverAvailable", driver !== undefined, "DriverMissing")] : []),
    say("BucketReady", content !== undefined && isReady(content)),
    say("SecretPublished", why === "Settled"),
    ...(inConflict || wasInConflict
      ? [{ type: "SecretConflict", status: inConflict ? "True" : "False", reason: why, message } as const]
      : []),
  ];
}

function bucketPhase({ bucket, content }: Seen, plan: Plan<Step>): Phase {
  if (bucket !== undefined && isLeaving(bucket)) return "Releasing";
  const why = whyOf(plan);
  if (why === "Settled") return "Bound";
  if (plan.do === "refuse" || why === "ContentLost") return "Failed";
  const phase = content === undefined ? "Pending" : phaseOf(content.status?.conditions ?? []);
  return phase === "Retrying" || phase === "Failed" ? phase : "Pending";
}

function whyOf(plan: Plan<Step>): Reason {
  return plan.do === "wait" || plan.do === "refuse" ? plan.why : "Working";
}

function messageOf(plan: Plan<Step>, row: string): string {
  const why = whyOf(plan);
  if (why === "Settled") return reasons.Settled.says;
  const detail = plan.do === "wait" || plan.do === "refuse" ? plan.detail : undefined;
  return `${detail ?? reasons[why].says} ${reasons[why].next} (${row})`;
}

function noteOn({ bucket }: Seen, plan: Plan<Step>) {
  const why = whyOf(plan);
  if (why === "Settled" && bucket?.status?.phase !== "Bound")
    return {
      type: "Normal",
      reason: "BucketBound",
      message: `The Secret ${bucket?.spec.secretName ?? ""} is there.`,
    } as const;
  if (plan.do === "refuse")
    return {
      type: "Warning",
      reason: why,
      message: `${plan.detail ?? reasons[why].says} ${reasons[why].next}`,
    } as const;
  return undefined;
}
