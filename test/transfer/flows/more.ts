import type { Flow, Stage } from "../../faults/sweep/flow.ts";
import { boundMeanwhile, moveWithdrawn, moveWithdrawnTooLate } from "./empty-moves.ts";
import { approvalIsTold, complete, every, handOver, requestIsGone, saysInTheEnd, volumeIs } from "./flows.ts";
import { endsAs } from "./picture.ts";
import {
  approvalWithdrawn,
  requestWithdrawn,
  sourceNamespaceDeleted,
  targetNamespaceDeleted,
  targetTaken,
  whenFenced,
  whenHandedOver,
  whenLocked,
  whenReserved,
} from "./tenants.ts";
import { tightRename } from "./tight-rename.ts";
import { approve, ask, boundClaim, patient, type World } from "./world.ts";

type Act = (world: World, stage: Stage) => Promise<void>;
type When = (world: World, act: () => Promise<void>) => void;
type Ending = Pick<Flow<World>, "name" | "budget" | "isSettled" | "picture">;

/** The usual way, and what somebody does on it. */
function whenSomebody(when: When, act: Act, ending: Ending & Partial<typeof patient>) {
  return {
    ...handOver,
    ...ending,
    async begin(stage: Stage) {
      const world = await boundClaim(stage, { hasReaper: true });
      when(world, () => act(world, stage));
      await approve(world, stage, { pinned: true });
      await ask(world, stage);
      return world;
    },
  } satisfies Flow<World>;
}

const back = { volume: "Bound, Delete, rolled-back", claims: ["Bound, owner", "none"] } as const;

export const requestGone = whenSomebody(whenReserved, requestWithdrawn, {
  name: "request withdrawn in time",
  budget: 5,
  isSettled: volumeIs("rolled-back"),
  picture: endsAs({ ...back, request: "none", approval: "open" }),
});

export const nameTaken = whenSomebody(whenReserved, targetTaken, {
  name: "target name taken on the way",
  budget: 6,
  isSettled: every(volumeIs("rolled-back"), saysInTheEnd("Pending", "TargetTaken"), approvalIsTold),
  picture: endsAs({
    ...back,
    claims: ["Bound, owner", "Pending"],
    request: "Pending TargetTaken",
    approval: "open",
  }),
});

export const revokedTooLate = whenSomebody(whenFenced, approvalWithdrawn, {
  name: "approval withdrawn too late",
  budget: 7,
  isSettled: saysInTheEnd("Complete"),
  picture: endsAs({ ...complete, request: "Complete RevokedTooLate", approval: "none" }),
});

export const requestGoneTooLate = whenSomebody(whenFenced, requestWithdrawn, {
  name: "request withdrawn too late",
  budget: 7,
  isSettled: volumeIs("complete"),
  picture: endsAs({ ...complete, request: "none" }),
});

export const targetNamespaceGoneFirst = whenSomebody(whenLocked, targetNamespaceDeleted, {
  ...patient,
  name: "target namespace deleted at the lock",
  budget: 3,
  isSettled: volumeIs("rolled-back"),
  picture: endsAs({ ...back, request: "none", approval: "open" }),
});

export const targetNamespaceGone = whenSomebody(whenFenced, targetNamespaceDeleted, {
  ...patient,
  name: "target namespace deleted while the source goes",
  budget: 7,
  isSettled: volumeIs("rolled-back"),
  picture: endsAs({ ...back, request: "none", approval: "open" }),
});

export const targetNamespaceGoneLast = whenSomebody(whenHandedOver, targetNamespaceDeleted, {
  ...patient,
  name: "target namespace deleted at the last moment",
  budget: 8,
  isSettled: volumeIs("rolled-back"),
  picture: endsAs({ ...back, request: "none", approval: "open" }),
});

export const sourceNamespaceGone = whenSomebody(whenFenced, sourceNamespaceDeleted, {
  ...patient,
  name: "source namespace deleted while the source goes",
  budget: 7,
  isSettled: saysInTheEnd("Complete"),
  picture: endsAs({ ...complete, request: "Complete RevokedTooLate", approval: "none" }),
});

export const sourceNamespaceGoneLast = whenSomebody(whenHandedOver, sourceNamespaceDeleted, {
  ...patient,
  name: "source namespace deleted at the last moment",
  budget: 7,
  isSettled: saysInTheEnd("Complete"),
  picture: endsAs({ ...complete, request: "Complete RevokedTooLate", approval: "none" }),
});

export const orphaned = whenSomebody(
  whenHandedOver,
  async (world, stage) => {
    await targetNamespaceDeleted(world, stage);
    await sourceNamespaceDeleted(world, stage);
  },
  {
    ...patient,
    name: "both namespaces deleted at the last moment",
    budget: 5,
    isSettled: volumeIs("orphaned"),
    picture: endsAs({
      volume: "Released, Retain, orphaned",
      claims: ["none", "none"],
      request: "none",
      approval: "none",
    }),
  },
);

/** A request that takes itself away when it has been read. */
export const shortLived: Flow<World> = {
  ...handOver,
  name: "finished request removed in time",
  budget: 9,
  async begin(stage) {
    const world = await boundClaim(stage, { hasReaper: true });
    await approve(world, stage);
    await ask(world, stage, { ttlSecondsAfterFinished: 1 });
    return world;
  },
  isSettled: every(volumeIs("complete"), requestIsGone),
  picture: endsAs({ ...complete, request: "none" }),
};

/** What `make faults` breaks beside the main ones. */
export const moreTransferFlows: readonly Flow<World>[] = [
  requestGone,
  nameTaken,
  revokedTooLate,
  requestGoneTooLate,
  targetNamespaceGoneFirst,
  targetNamespaceGone,
  targetNamespaceGoneLast,
  sourceNamespaceGone,
  sourceNamespaceGoneLast,
  orphaned,
  shortLived,
  tightRename,
  boundMeanwhile,
  moveWithdrawn,
  moveWithdrawnTooLate,
];
