import { persistentVolumeClaims } from "../../api/gen/core.ts";
import { handOverCondition } from "../../api/transfer/names.ts";
import type { Report } from "../../runtime/report.ts";
import type { Decision } from "../../runtime/table.ts";
import { messageOf, wholeSeconds } from "../status.ts";
import type { Claim } from "../watches.ts";
import { isLocked, type Step } from "./rules.ts";
import type { Offered } from "./seen.ts";

/** What is in the way stands on the claim itself: whoever gives has no other object of ours to look at. Once locked, its volume speaks. */
export function reportOffer(seen: Offered, decision: Decision<Step>): readonly Report[] {
  return isLocked(seen) ? [] : reportOn(seen.source, decision, seen.now);
}

/** A condition only where something is wrong, or was: where all goes well, the seed's own marks say enough. */
export function reportOn(claim: Claim, decision: Decision<string>, now: Date): readonly Report[] {
  const { plan } = decision;
  const isWrong = plan.do === "wait" || plan.do === "refuse";
  const was = claim.status?.conditions?.find(({ type }) => type === handOverCondition);
  if (!isWrong && was === undefined) return [];
  const { reason, message } = isWrong
    ? messageOf(decision)
    : { reason: "Working", message: "Nothing is in the way any more." };
  const condition = {
    type: handOverCondition,
    status: "False",
    reason,
    message,
    lastTransitionTime: wholeSeconds(now),
  } as const;
  const note = isWrong && was?.reason !== reason ? { note: { type: "Warning", reason, message } as const } : {};
  return [{ resource: persistentVolumeClaims, object: claim, condition, ...note }];
}
