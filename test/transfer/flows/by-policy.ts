import {
  type StorageTransferPolicyStatus,
  storageTransferPolicies,
  storageTransferRequests,
} from "../../../src/api/gen/transfer.ts";
import type { Operation } from "../../../src/kube/json-patch.ts";
import type { WriteRecord } from "../../faults/proxy/write-record.ts";
import type { Flow } from "../../faults/sweep/flow.ts";
import { complete, every, handOver, saysInTheEnd, steppedBack, volumeIs } from "./flows.ts";
import { endsAs } from "./picture.ts";
import { policyWithdrawn, targetTaken, whenReserved } from "./tenants.ts";
import { approveBeforehand, ask, boundClaim, type World, watchedBy } from "./world.ts";

/** A policy that waits for its first use longer than a moment is told that it can be used; that takes no use of it. */
function tellsUnused({ resource, subresource, body }: WriteRecord): boolean {
  const operations = Array.isArray(body) ? (body as readonly Operation[]) : [];
  const status = operations.flatMap((one) => (one.path === "/status" && "value" in one ? [one.value] : []));
  const isUnused = status.some((value) => ((value as StorageTransferPolicyStatus).uses ?? []).length === 0);
  return resource === storageTransferPolicies.plural && subresource === "status" && isUnused;
}

function tellsOrTouches(write: WriteRecord): boolean {
  return tellsUnused(write) || handOver.afterDoubt?.(write) === true;
}

/** Approved beforehand, asked, handed over: the use is taken first, and nothing is left to be marked as used. */
export const byPolicy: Flow<World> = {
  ...handOver,
  name: "transfer by policy",
  watched: watchedBy.policy,
  afterDoubt: tellsOrTouches,
  async begin(stage) {
    const world = await boundClaim(stage, { hasReaper: true });
    await approveBeforehand(world, stage);
    await ask(world, stage);
    return world;
  },
  picture: endsAs({ ...complete, approval: "none", policy: "1 of 2, PolicyActive" }),
};

/** The policy goes while the target is being made. */
export const policyGone: Flow<World> = {
  ...steppedBack,
  name: "policy deleted in time",
  watched: watchedBy.policy,
  afterDoubt: tellsOrTouches,
  budget: 7,
  async begin(stage) {
    const world = await boundClaim(stage, { hasReaper: true });
    whenReserved(world, () => policyWithdrawn(world, stage));
    await approveBeforehand(world, stage);
    await ask(world, stage);
    return world;
  },
};

/** While the use cannot be returned the request is told so, and again when it has been. */
function tellsRequest({ resource, subresource }: WriteRecord): boolean {
  return resource === storageTransferRequests.plural && subresource === "status";
}

/** The target's name is taken while the target is being made: the use is returned. */
export const useReturned: Flow<World> = {
  ...handOver,
  name: "use of a policy returned",
  watched: watchedBy.policy,
  afterDoubt: (write) => tellsOrTouches(write) || tellsRequest(write),
  budget: 7,
  async begin(stage) {
    const world = await boundClaim(stage, { hasReaper: true });
    whenReserved(world, () => targetTaken(world, stage));
    await approveBeforehand(world, stage);
    await ask(world, stage);
    return world;
  },
  isSettled: every(volumeIs("rolled-back"), saysInTheEnd("Pending", "TargetTaken"), useIsReturned),
  picture: endsAs({
    volume: "Bound, Delete, rolled-back",
    claims: ["Bound, owner", "Pending"],
    request: "Pending TargetTaken",
    approval: "none",
    policy: "0 of 2, PolicyActive",
  }),
};

async function useIsReturned({ from, approval }: World, { admin }: Parameters<Flow<World>["isSettled"]>[1]) {
  const { status } = await admin.get(storageTransferPolicies, { namespace: from, name: approval });
  return status?.used === 0;
}

export const policyFlows: readonly Flow<World>[] = [byPolicy, policyGone, useReturned];
