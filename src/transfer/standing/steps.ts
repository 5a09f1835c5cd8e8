import { storageTransferPolicies } from "../../api/gen/transfer.ts";
import { Change } from "../../kube/json-patch.ts";
import type { Hand } from "../../runtime/hand.ts";
import { requireIdleUse } from "../live.ts";
import type { Policy } from "../watches.ts";
import type { Step } from "./rules.ts";
import type { SeenPolicy } from "./seen.ts";
import { noteOnEnd, policyStatus } from "./status.ts";
import { type Use, usesOf } from "./uses.ts";

const steps: Readonly<Record<Step, (seen: SeenPolicy, hand: Hand) => Promise<unknown>>> = {
  async "return-uses"({ policy, inVain, now }, hand) {
    for (const { use, isProven } of inVain) if (!isProven) await requireIdleUse(policy, use, hand.live);
    const kept = usesOf(policy).filter((one) => !inVain.some(({ use }) => use === one));
    return await writeUses({ policy, uses: kept, now }, hand);
  },
};

export async function actOnPolicy(step: Step, seen: SeenPolicy, hand: Hand): Promise<unknown> {
  return await steps[step](seen, hand);
}

interface Uses {
  readonly policy: Policy;
  readonly uses: readonly Use[];
  readonly now: Date;
}

/** Only as it was seen, or two who take a use at once would take the same one. */
export async function writeUses({ policy, uses, now }: Uses, hand: Hand): Promise<Policy> {
  const change = new Change(policy).set(["status"], policyStatus(policy, uses, now));
  const status = { subresource: "status" } as const;
  const left = await hand.patch(storageTransferPolicies, policy.metadata, change.operations, status);
  for (const note of noteOnEnd(policy, uses, now))
    hand.tell({ ...note, resource: storageTransferPolicies, object: policy });
  return left;
}
