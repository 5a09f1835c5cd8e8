import { withCondition } from "../../api/conditions.ts";
import { defined } from "../../api/defined.ts";
import { type BucketContentStatus, type BucketStatus, bucketContents, buckets } from "../../api/gen/cosi.ts";
import { type Reason, reasons } from "../../api/reasons.ts";
import type { Report } from "../../runtime/report.ts";
import type { Decision, Plan } from "../../runtime/table.ts";
import { type Content, type ContentCondition, holds, isLeaving, phaseOf, troubleIn } from "../content.ts";
import { conditionsOf, secondsInTheWay, whyOf } from "./conditions.ts";
import type { Step } from "./rules.ts";
import type { Seen } from "./seen.ts";
import type { Ordered } from "./watches.ts";

type Phase = NonNullable<BucketStatus["phase"]>;

/** The Bucket's whole status, and that its content is bound. */
export function report(seen: Seen, decision: Decision<Step>): readonly Report[] {
  const { bucket, content } = seen;
  const isBound = decision.plan.do === "wait" && decision.plan.why === "Settled";
  return [
    ...(bucket === undefined || decision.plan.do === "rest" ? [] : [reportOn(bucket, seen, decision)]),
    ...(isBound && content !== undefined && !holds(content, "Bound")
      ? [{ resource: bucketContents, object: content, status: told(content, "Bound", "Settled", seen.now) }]
      : []),
  ];
}

export function readyStatus(content: Content, now: Date): BucketContentStatus {
  return told(content, "AccessGranted", "Settled", now);
}

export function leavingStatus(content: Content, now: Date): BucketContentStatus {
  return told(content, "BucketLeaving", "BucketReleasing", now);
}

export function releasedStatus(content: Content, now: Date): BucketContentStatus {
  return told(content, "Released", "Settled", now);
}

function told(content: Content, type: ContentCondition, reason: Reason, now: Date): BucketContentStatus {
  const { status, metadata } = content;
  const { generation: observedGeneration } = metadata;
  const { says: message } = reasons[reason];
  const wish = { type, status: "True", reason, message, observedGeneration } as const;
  const conditions = withCondition(status?.conditions, wish, now);
  return { ...status, phase: phaseOf(conditions), conditions, message, ...defined({ observedGeneration }) };
}

function reportOn(bucket: Ordered, seen: Seen, { row, plan }: Decision<Step>): Report {
  const { generation: observedGeneration } = bucket.metadata;
  const bucketContentName = seen.content?.metadata.name ?? bucket.status?.bucketContentName;
  const message = messageOf(seen, plan, row);
  const conditions = conditionsOf(bucket, seen, plan, message).reduce(
    (before, wish) => withCondition(before, { ...wish, observedGeneration }, seen.now),
    bucket.status?.conditions ?? [],
  );
  const phase = phaseFor(seen, plan, { conditions });
  const status = { phase, message, conditions, ...defined({ bucketContentName, observedGeneration }) };
  const note = noteOn(bucket, plan, { phase, message });
  return { resource: buckets, object: bucket, status, ...defined({ note }) };
}

/** What is in the way may go away by itself, for so long; it is tried all the same after that. */
const hopefulSeconds = 300;

function phaseFor(
  { bucket, content, now }: Seen,
  plan: Plan<Step>,
  { conditions }: Pick<BucketStatus, "conditions">,
): Phase {
  if (bucket !== undefined && isLeaving(bucket)) return "Releasing";
  const why = whyOf(plan);
  if (why === "Settled") return "Bound";
  const seconds = secondsInTheWay(why, conditions, now);
  if (seconds !== undefined) return seconds < hopefulSeconds ? "Retrying" : "Failed";
  if (plan.do === "refuse" || why === "ContentLost") return "Failed";
  return phaseBy(content);
}

function phaseBy(content: Content | undefined): Phase {
  const phase = phaseOf(content?.status?.conditions ?? []);
  return phase === "Retrying" || phase === "Failed" ? phase : "Pending";
}

/** What the sidecar has told is told as it is: it says what to do, and which row of its table holds. */
function messageOf({ content }: Seen, plan: Plan<Step>, row: string): string {
  const why = whyOf(plan);
  if (why === "Settled") return reasons.Settled.says;
  const detail = plan.do === "wait" || plan.do === "refuse" ? plan.detail : undefined;
  if (detail !== undefined && detail === troubleIn(content?.status?.conditions ?? [])?.message) return detail;
  return `${detail ?? reasons[why].says} ${reasons[why].next} (${row})`;
}

function noteOn(
  { spec, status }: Ordered,
  plan: Plan<Step>,
  { phase, message }: { readonly phase: Phase; readonly message: string },
) {
  const reason = whyOf(plan);
  if (phase === "Bound" && status?.phase !== "Bound")
    return { type: "Normal", reason: "BucketBound", message: `The Secret ${spec.secretName} is there.` } as const;
  const isTrouble = plan.do === "refuse" || phase === "Failed" || phase === "Retrying";
  return isTrouble ? ({ type: "Warning", reason, message } as const) : undefined;
}
