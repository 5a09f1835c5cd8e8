import { persistentVolumeClaims } from "../api/gen/core.ts";
import { reasons } from "../api/reasons.ts";
import type { Report } from "../runtime/report.ts";
import type { Decision } from "../runtime/table.ts";
import { eventReasons } from "./names.ts";
import type { Step } from "./rules.ts";
import type { Seen } from "./seen.ts";

/** What whoever waits for the claim is told: Events, because a vendor's role lets us write no status. */
export function report({ claim }: Seen, { plan }: Decision<Step>): readonly Report[] {
  if (claim === undefined) return [];
  const about = { resource: persistentVolumeClaims, object: claim };
  if (plan.do === "wait" && plan.why === "FilledByOthers") {
    const message = "Assuming an external populator will provision the volume";
    return [{ ...about, says: { type: "Normal", reason: eventReasons.provisioning, message } }];
  }
  // What a step was refused, the step has told.
  if (plan.do !== "refuse" || plan.why === "RefusedByServer") return [];
  const message = `${plan.detail ?? reasons[plan.why].says} ${reasons[plan.why].next}`;
  return [{ ...about, says: { type: "Warning", reason: eventReasons.failed, message } }];
}
