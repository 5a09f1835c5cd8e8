import { withCondition } from "../../src/api/conditions.ts";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import type { Condition } from "../../src/api/gen/meta.ts";
import { reasons } from "../../src/api/reasons.ts";
import type { Report } from "../../src/runtime/report.ts";
import type { Decision } from "../../src/runtime/table.ts";
import type { Step } from "./rules.ts";
import type { Seen } from "./seen.ts";

const type = "sample.portway.dev/Deeded";

const handedOver = { type: "Normal", reason: "DeedHandedOver", message: "The volume holds it now." } as const;

/** One condition on the claim, beside those of Kubernetes. */
export function report(seen: Seen, decision: Decision<Step>): readonly Report[] {
  const { claim, journal, deed, now } = seen;
  // A claim that never had a deed hears nothing of us, and one that is leaving has nobody to tell.
  if ((journal ?? deed) === undefined || claim.metadata.deletionTimestamp !== undefined) return [];
  const isDone = journal?.done === true;
  const before = (claim.status?.conditions as readonly Condition[] | undefined)?.filter((one) => one.type === type);
  const status = isDone ? "True" : "False";
  const conditions = withCondition(before, { type, status, ...wordsOf(decision) }, now);
  return conditions.map((condition) => ({
    resource: persistentVolumeClaims,
    object: claim,
    condition,
    ...(isDone ? { note: handedOver } : {}),
  }));
}

function wordsOf({ row, plan }: Decision<Step>): { readonly reason: string; readonly message: string } {
  if (plan.do !== "wait" && plan.do !== "refuse") return { reason: "Settled", message: row };
  return { reason: plan.why, message: `${plan.detail ?? reasons[plan.why].says} (${row})` };
}
