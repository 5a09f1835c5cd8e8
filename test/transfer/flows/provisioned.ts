import type { Flow, Stage } from "../../faults/sweep/flow.ts";
import { hashIn, isOnDisk, newRealClaim, type RealVolume, volumeOf, writeInto } from "../../stories/real-volume.ts";
import { complete, givenBack, handOver, returned } from "./flows.ts";
import { endsAs, type Picture } from "./picture.ts";
import { targetDeleted, whenHandedOver } from "./tenants.ts";
import { approve, ask, emptyWorld, type World } from "./world.ts";

/** A volume that the real external-provisioner made, and destroys when it is released with the policy Delete. */
export interface RealWorld extends World {
  readonly made: RealVolume;
  readonly hash: string;
}

async function provisionedClaim(stage: Stage): Promise<RealWorld> {
  const { cluster, admin } = stage;
  const world = await emptyWorld(stage, {});
  const key = { namespace: world.from, name: world.source };
  await newRealClaim(admin, key);
  const made = await volumeOf(cluster, admin, key);
  await writeInto(made, `the bytes of ${world.from}`);
  return { ...world, volume: made.name, made, hash: await hashIn(made) };
}

/** What is destroyed does not come back: nobody has to wait for the end of it. */
function whileOnDisk(flow: Flow<World>): Flow<RealWorld>["isSettled"] {
  return async (world, stage) => {
    if (!isOnDisk(world.made)) throw new Error("G1 the provisioner has destroyed the volume");
    return await flow.isSettled(world, stage);
  };
}

/** Whoever has the volume in the end has the same one, with what was written into it. */
function withItsBytes(expected: Picture, holder: "source" | "target") {
  return async (world: RealWorld, stage: Stage) => {
    const { made, hash, from, to, source, target } = world;
    const key = holder === "source" ? { namespace: from, name: source } : { namespace: to, name: target };
    const picture = await endsAs(expected)(world, stage);
    const now = await volumeOf(stage.cluster, stage.admin, key);
    const isSame = now.uid === made.uid && now.handle === made.handle && now.policy === made.policy;
    return { ...picture, isSameVolume: isSame && now.policy === "Delete", hasItsBytes: (await hashIn(now)) === hash };
  };
}

/** Handed over while the real provisioner looks on. */
export const handOverProvisioned: Flow<RealWorld> = {
  ...handOver,
  name: "transfer of a provisioned volume",
  async begin(stage) {
    const world = await provisionedClaim(stage);
    await approve(world, stage);
    await ask(world, stage);
    return world;
  },
  isSettled: whileOnDisk(handOver),
  picture: withItsBytes(complete, "target"),
};

/** Given up by the source, and given back to it: in between nobody has it, and the real provisioner looks on. */
export const givenBackProvisioned: Flow<RealWorld> = {
  ...givenBack,
  name: "target of a provisioned volume deleted at the last moment",
  async begin(stage) {
    const world = await provisionedClaim(stage);
    whenHandedOver(world, () => targetDeleted(world, stage));
    await approve(world, stage, { pinned: true });
    await ask(world, stage);
    return world;
  },
  isSettled: whileOnDisk(givenBack),
  picture: withItsBytes(returned, "source"),
};

export const provisionedFlows: readonly Flow<RealWorld>[] = [handOverProvisioned, givenBackProvisioned];
