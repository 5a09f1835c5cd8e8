import { Failure } from "../../../api/failure.ts";
import { leases } from "../../../api/gen/coordination.ts";
import { cosiRegistrations } from "../../../api/gen/cosi.ts";
import { reasons } from "../../../api/reasons.ts";
import { ApiError } from "../../../kube/errors.ts";
import { Change } from "../../../kube/json-patch.ts";
import type { Hand } from "../../../runtime/hand.ts";
import { must, Overtaken } from "../../../runtime/must.ts";
import { renewedAt } from "../../lease.ts";
import type { Step } from "./rules.ts";
import type { Asked, Seen } from "./seen.ts";

export type GiveUp = (why: Failure) => void;

const steps: Readonly<Record<Step, (seen: Seen, hand: Hand, giveUp: GiveUp) => Promise<unknown>>> = {
  async register({ wished }, hand) {
    const object = { metadata: { name: wished.driverName }, spec: wished };
    await hand.create(cosiRegistrations, object).catch((problem: unknown) => {
      if (problem instanceof ApiError && problem.reason === "AlreadyExists") throw new Overtaken("somebody was faster");
      throw problem;
    });
  },
  async renew(seen, hand) {
    await write(seen, hand);
  },
  async "take-over"(seen, hand) {
    await write(seen, hand);
  },
  async "ask-lease"({ found, now }, { live, signal }): Promise<Asked> {
    const { spec, metadata } = must(found, "a registration");
    const lease = await live.find(leases, { namespace: spec.namespace, name: spec.leaseName }, { signal });
    return { at: now, version: metadata.resourceVersion, renewedAt: renewedAt(lease) };
  },
  async "give-up"({ found, wished }, _, giveUp) {
    const { instanceID, namespace } = must(found, "a registration").spec;
    const { says, next } = reasons.DriverNameTaken;
    giveUp(new Failure(`${wished.driverName}: ${says} It is ${instanceID} in the namespace ${namespace}.`, next));
  },
};

export async function act(step: Step, seen: Seen, hand: Hand, giveUp: GiveUp): Promise<unknown> {
  return await steps[step](seen, hand, giveUp);
}

async function write({ found, wished }: Seen, hand: Hand): Promise<void> {
  const registration = must(found, "a registration");
  const change = new Change(registration).set(["spec"], wished);
  await hand.patch(cosiRegistrations, registration.metadata, change.operations);
}
