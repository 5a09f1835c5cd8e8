import { withCondition } from "../../api/conditions.ts";
import { defined } from "../../api/defined.ts";
import { type StorageTransferPolicyStatus, storageTransferPolicies } from "../../api/gen/transfer.ts";
import { reasons } from "../../api/reasons.ts";
import type { Note, Report } from "../../runtime/report.ts";
import type { Policy } from "../watches.ts";
import type { SeenPolicy } from "./seen.ts";
import { stateOf, type Use, usesOf } from "./uses.ts";

/** The whole status with these uses, so that whoever takes or returns one has told everything there is to tell. */
export function policyStatus(policy: Policy, uses: readonly Use[], now: Date): StorageTransferPolicyStatus {
  const reason = stateOf(policy.spec, uses, now);
  const { says, next } = reasons[reason];
  const observedGeneration = policy.metadata.generation;
  const status = reason === "PolicyActive" ? "True" : "False";
  const wish = { type: "Active", status, reason, message: `${says} ${next}`, observedGeneration } as const;
  const conditions = withCondition(policy.status?.conditions, wish, now);
  return { uses, used: uses.length, conditions, ...defined({ observedGeneration }) };
}

/** An Event for those who do not look at the policy until it has stopped to work. */
export function noteOnEnd(
  policy: Policy,
  uses: readonly Use[],
  now: Date,
): Pick<Note, "type" | "reason" | "message">[] {
  const reason = stateOf(policy.spec, uses, now);
  const wasTold = policy.status?.conditions?.some((one) => one.type === "Active" && one.reason === reason) === true;
  if (reason === "PolicyActive" || wasTold) return [];
  return [{ type: "Normal", reason, message: `${reasons[reason].says} ${reasons[reason].next}` }];
}

export function reportPolicy({ policy, now }: SeenPolicy): readonly Report[] {
  const uses = usesOf(policy);
  const [note] = noteOnEnd(policy, uses, now);
  const status = policyStatus(policy, uses, now);
  return [{ resource: storageTransferPolicies, object: policy, status, ...defined({ note }) }];
}
