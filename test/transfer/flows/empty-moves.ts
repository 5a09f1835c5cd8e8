import { persistentVolumeClaims, persistentVolumes } from "../../../src/api/gen/core.ts";
import type { Flow, Stage } from "../../faults/sweep/flow.ts";
import { until } from "../../fixture/portway.ts";
import { complete, handOver, move, saysInTheEnd } from "./flows.ts";
import { claimsAsSeen, retainedBefore, targetFirst, toldAfterTheEnd } from "./order-rules.ts";
import { endsAs } from "./picture.ts";
import { approvalWithdrawn, whenFenced, whenReserved } from "./tenants.ts";
import { approve, ask, emptyClaim, makeVolume, patient, type World } from "./world.ts";

/** Somebody gives the empty source a volume after all. */
async function sourceBound(world: World, stage: Pick<Stage, "admin">): Promise<void> {
  const { admin } = stage;
  const { from: namespace, source: name, volume } = world;
  await makeVolume(world, stage);
  await until("the volume is there", async () => {
    return (await admin.get(persistentVolumes, { name: volume })).status?.phase === "Available";
  });
  await admin.merge(persistentVolumeClaims, { namespace, name }, { spec: { volumeName: volume } });
  await until("the source is bound", async () => {
    const claim = await admin.get(persistentVolumeClaims, { namespace, name });
    const disk = await admin.get(persistentVolumes, { name: volume });
    return claim.status?.phase === "Bound" && disk.status?.phase === "Bound";
  });
}

/** The source gets a volume when it is just about to go: the empty target goes instead, and the volume is handed over. */
export const boundMeanwhile: Flow<World> = {
  ...handOver,
  ...patient,
  name: "empty claim that gets a volume on the way",
  orderRules: [claimsAsSeen, targetFirst, toldAfterTheEnd, retainedBefore(({ name }) => name === "foo")],
  budget: 12,
  async begin(stage) {
    const world = await emptyClaim(stage, { hasReaper: true });
    whenFenced(world, () => sourceBound(world, stage));
    await approve(world, stage);
    await ask(world, stage, { whenUnbound: "Move" });
    return world;
  },
  isSettled: saysInTheEnd("Complete"),
  picture: endsAs(complete),
};

/** The approval goes while the empty target is made: the target goes, and the source stays. */
export const moveWithdrawn: Flow<World> = {
  ...move,
  name: "move of an empty claim, approval withdrawn",
  budget: 3,
  async begin(stage) {
    const world = await emptyClaim(stage);
    whenReserved(world, () => approvalWithdrawn(world, stage));
    await approve(world, stage);
    await ask(world, stage, { whenUnbound: "Move" });
    return world;
  },
  isSettled: saysInTheEnd("Pending", "AwaitingApproval"),
  picture: endsAs({
    volume: "none",
    claims: ["Pending", "none"],
    request: "Pending AwaitingApproval",
    approval: "none",
  }),
};

/** The approval goes when the empty source has been given up: the move ends as it was approved. */
export const moveWithdrawnTooLate: Flow<World> = {
  ...move,
  name: "move of an empty claim, approval withdrawn too late",
  budget: 4,
  async begin(stage) {
    const world = await emptyClaim(stage);
    whenFenced(world, () => approvalWithdrawn(world, stage));
    await approve(world, stage);
    await ask(world, stage, { whenUnbound: "Move" });
    return world;
  },
  isSettled: saysInTheEnd("Complete"),
  picture: endsAs({
    volume: "none",
    claims: ["none", "Pending"],
    request: "Complete RevokedTooLate",
    approval: "none",
  }),
};
