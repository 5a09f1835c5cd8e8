import type { Reason } from "../../api/reasons.ts";
import type { Report } from "../../runtime/report.ts";
import { type Decision, rest } from "../../runtime/table.ts";
import { reportOn } from "../give/status.ts";
import type { Step } from "./rules.ts";
import type { Given } from "./seen.ts";

/** Ordinary waits for a person; the seed's marks on the volume and on the target say that it is pending. */
const ordinary: ReadonlySet<Reason> = new Set(["AwaitingAcceptance", "AwaitingDeletion"]);

/** What is in the way is told to both sides, on their own claims. */
export function reportGiven({ listeners, now }: Given, decision: Decision<Step>): readonly Report[] {
  const { plan } = decision;
  const isOrdinary = plan.do === "wait" && ordinary.has(plan.why);
  const said = isOrdinary ? { ...decision, plan: rest } : decision;
  return listeners.flatMap((claim) => reportOn(claim, said, now));
}
