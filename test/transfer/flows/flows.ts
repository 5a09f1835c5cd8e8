import { persistentVolumes } from "../../../src/api/gen/core.ts";
import {
  type StorageTransferRequestStatus,
  storageTransferApprovals,
  storageTransferRequests,
} from "../../../src/api/gen/transfer.ts";
import { anyJournalOn, type Outcome } from "../../../src/api/transfer/journal.ts";
import type { Flow, Stage } from "../../faults/sweep/flow.ts";
import { claimsAsSeen, targetFirst } from "./order-rules.ts";
import { endsAs } from "./picture.ts";
import { approvalWithdrawn, targetDeleted, whenHandedOver, whenReserved } from "./tenants.ts";
import { approve, ask, boundClaim, emptyClaim, transferGround, type World, watchedBy } from "./world.ts";

/** Settled when the request says this; "gone" when it was deleted with what it asked for. */
export function saysInTheEnd(phase: StorageTransferRequestStatus["phase"], reason?: string) {
  return async ({ to, request, reaper }: World, { admin }: Stage): Promise<boolean> => {
    reaper?.mustNotHaveReaped();
    const { status } = await admin.get(storageTransferRequests, { namespace: to, name: request });
    return status?.phase === phase && (reason === undefined || status?.conditions?.[0]?.reason === reason);
  };
}

/** Settled when the journal on the volume says how it ended. */
export function volumeIs(outcome: Outcome) {
  return async ({ volume, reaper }: World, { admin }: Stage): Promise<boolean> => {
    reaper?.mustNotHaveReaped();
    return anyJournalOn(await admin.get(persistentVolumes, { name: volume }))?.outcome === outcome;
  };
}

/** What the approval says is written after what the request says. */
export async function approvalIsTold({ from, approval }: World, { admin }: Stage): Promise<boolean> {
  const { status } = await admin.get(storageTransferApprovals, { namespace: from, name: approval });
  return status !== undefined;
}

export async function requestIsGone({ to, request, reaper }: World, { admin }: Stage): Promise<boolean> {
  reaper?.mustNotHaveReaped();
  return (await admin.find(storageTransferRequests, { namespace: to, name: request })) === undefined;
}

export function every(...said: readonly Flow<World>["isSettled"][]): Flow<World>["isSettled"] {
  return async (world, stage) => {
    for (const isSaid of said) if (!(await isSaid(world, stage))) return false;
    return true;
  };
}

export const complete = {
  volume: "Bound, Delete, complete",
  claims: ["none", "Bound, owner"],
  request: "Complete Settled",
  approval: "Complete, used",
} as const;

/** The volume is back with a claim that is not the one which was pinned. */
export const returned = {
  volume: "Bound, Delete, rolled-back",
  claims: ["Bound, owner", "none"],
  request: "Pending SourceNotFound",
  approval: "open",
} as const;

/** Asked, approved, handed over. */
export const handOver: Flow<World> = {
  ...transferGround,
  name: "transfer",
  budget: 8,
  async begin(stage) {
    const world = await boundClaim(stage, { hasReaper: true });
    await approve(world, stage);
    await ask(world, stage);
    return world;
  },
  isSettled: saysInTheEnd("Complete"),
  picture: endsAs(complete),
};

/** The approval goes while the target is being made: the target goes, and everything is as before. */
export const steppedBack: Flow<World> = {
  ...transferGround,
  name: "approval withdrawn in time",
  budget: 6,
  async begin(stage) {
    const world = await boundClaim(stage, { hasReaper: true });
    whenReserved(world, () => approvalWithdrawn(world, stage));
    await approve(world, stage);
    await ask(world, stage);
    return world;
  },
  isSettled: every(volumeIs("rolled-back"), saysInTheEnd("Pending", "AwaitingApproval")),
  picture: endsAs({
    volume: "Bound, Delete, rolled-back",
    claims: ["Bound, owner", "none"],
    request: "Pending AwaitingApproval",
    approval: "none",
  }),
};

/** The target goes when the volume is just about to be its own: the source comes back. */
export const givenBack: Flow<World> = {
  ...transferGround,
  name: "target deleted at the last moment",
  budget: 10,
  async begin(stage) {
    const world = await boundClaim(stage, { hasReaper: true });
    whenHandedOver(world, () => targetDeleted(world, stage));
    await approve(world, stage, { pinned: true });
    await ask(world, stage);
    return world;
  },
  isSettled: every(volumeIs("rolled-back"), saysInTheEnd("Pending", "SourceNotFound"), approvalIsTold),
  picture: endsAs(returned),
};

export const rename: Flow<World> = {
  ...handOver,
  name: "rename",
  async begin(stage) {
    const world = await boundClaim(stage, { renames: true, hasReaper: true });
    await approve(world, stage);
    await ask(world, stage);
    return world;
  },
};

/** Without a volume there is nothing to lock: the order of the two writes is all that protects it. */
export const move: Flow<World> = {
  ...transferGround,
  name: "move of an empty claim",
  watched: watchedBy.approvalOfEmpty,
  orderRules: [claimsAsSeen, targetFirst],
  budget: 5,
  async begin(stage) {
    const world = await emptyClaim(stage);
    await approve(world, stage);
    await ask(world, stage, { whenUnbound: "Move" });
    return world;
  },
  isSettled: saysInTheEnd("Complete"),
  picture: endsAs({
    volume: "none",
    claims: ["none", "Pending"],
    request: "Complete Settled",
    approval: "Complete, used",
  }),
};

export const transferFlows: readonly Flow<World>[] = [handOver, steppedBack, givenBack, rename, move];
