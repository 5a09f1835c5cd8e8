import type { Reason } from "../../api/reasons.ts";
import type { Trouble, Troubled } from "../../api/trouble.ts";
import { ApiError } from "../../kube/errors.ts";
import { type Refusal, refuse } from "../../runtime/table.ts";

/** It will not work until somebody changes something; nobody tells us when, so it is tried again, slower and slower. */
export class Hindrance extends Error implements Troubled {
  override readonly name = "Hindrance";
  readonly trouble: Trouble = "refused";
  readonly why: Reason;

  constructor(why: Reason, because: string) {
    super(because);
    this.why = why;
  }
}

/** What a step that did not work means to whoever owns the Bucket. */
export function refusalOf(problem: Error): Refusal {
  if (problem instanceof Hindrance) return refuse(problem.why, problem.message);
  const isQuota = problem instanceof ApiError && problem.isQuotaExceeded;
  return refuse(isQuota ? "QuotaExceeded" : "RefusedByServer", `${problem.message}.`);
}
