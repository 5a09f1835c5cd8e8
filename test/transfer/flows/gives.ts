import { persistentVolumeClaims, persistentVolumes } from "../../../src/api/gen/core.ts";
import { anyJournalOn } from "../../../src/api/transfer/journal.ts";
import { holdFinalizer, seedClaimStatus } from "../../../src/api/transfer/names.ts";
import type { Flow, Stage } from "../../faults/sweep/flow.ts";
import { until } from "../../fixture/portway.ts";
import { every, volumeIs } from "./flows.ts";
import { endsAs } from "./picture.ts";
import { boundClaim, drop, transferGround, type World, watchedBy } from "./world.ts";

type Admin = Pick<Stage, "admin">;

async function give({ from, to, source, target }: World, { admin }: Admin): Promise<void> {
  const annotations = { transferRequest: `${to}/${target}` };
  await admin.merge(persistentVolumeClaims, { namespace: from, name: source }, { metadata: { annotations } });
}

async function withdraw({ from, source }: World, { admin }: Admin): Promise<void> {
  const annotations = { transferRequest: null };
  await admin.merge(persistentVolumeClaims, { namespace: from, name: source }, { metadata: { annotations } });
}

async function accept(world: World, { admin }: Admin, place: "target" | "source" = "target"): Promise<void> {
  const { from, to, source, target, className } = world;
  const key = place === "target" ? { namespace: to, name: target } : { namespace: from, name: source };
  await admin.create(persistentVolumeClaims, {
    metadata: { ...key, annotations: { transferAccept: `${from}/${source}` } },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: className },
  });
}

async function deleteSource({ from, source }: World, { admin }: Admin): Promise<void> {
  await drop(admin, persistentVolumeClaims, { namespace: from, name: source });
}

/**
 * When the volume is locked and the hold is off. A claim that is deleted earlier is kept all the same (give.cluster.test.ts), but then
 * pvc-protection takes its finalizer off in the same moment as we do ours, and one of the two is told to look again.
 */
async function whenLetGo(world: World, { admin }: Admin): Promise<void> {
  await until("the source may go", async () => {
    const journal = anyJournalOn(await admin.get(persistentVolumes, { name: world.volume }));
    return journal !== undefined && (await isLetGo(world, { admin }));
  });
}

/** Whoever has got the volume knows it. */
function isTold(place: "target" | "source"): Flow<World>["isSettled"] {
  return async ({ from, to, source, target }, { admin }) => {
    const key = place === "target" ? { namespace: to, name: target } : { namespace: from, name: source };
    const claim = await admin.find(persistentVolumeClaims, key);
    return claim?.metadata.annotations?.[seedClaimStatus] === "complete";
  };
}

const nobodyAsked = { request: "none", approval: "none" } as const;
const arrived = { volume: "Bound, Delete, complete", claims: ["none", "Bound, owner"], ...nobodyAsked } as const;
const ground = { ...transferGround, watched: watchedBy.annotation, orderRules: [] } as const;

/** Given, accepted, deleted: six writes, one of them for the hold that admission puts on; a held target needs no kick. */
export const givenAndAccepted: Flow<World> = {
  ...ground,
  name: "give",
  budget: 6,
  async begin(stage) {
    const world = await boundClaim(stage, { hasReaper: true });
    await accept(world, stage);
    await give(world, stage);
    void whenLetGo(world, stage)
      .then(() => deleteSource(world, stage))
      .catch(() => undefined);
    return world;
  },
  isSettled: every(volumeIs("complete"), isTold("target")),
  picture: endsAs(arrived),
};

/** The target comes when the source is long gone. */
export const acceptedLate: Flow<World> = {
  ...givenAndAccepted,
  name: "give, accepted late",
  async begin(stage) {
    const world = await boundClaim(stage, { hasReaper: true });
    await give(world, stage);
    void whenLetGo(world, stage)
      .then(() => deleteSource(world, stage))
      .then(() => accept(world, stage))
      .catch(() => undefined);
    return world;
  },
};

/** Withdrawn while somebody waits for it: everything is as before. */
export const givenAndWithdrawn: Flow<World> = {
  ...ground,
  name: "give withdrawn",
  budget: 6,
  async begin(stage) {
    const world = await boundClaim(stage, { hasReaper: true });
    await accept(world, stage);
    await give(world, stage);
    void until("the target waits", () => waits(world, stage))
      .then(() => withdraw(world, stage))
      .catch(() => undefined);
    return world;
  },
  isSettled: every(volumeIs("rolled-back"), isLetGo),
  picture: endsAs({ volume: "Bound, Delete, rolled-back", claims: ["Bound, owner", "Pending"], ...nobodyAsked }),
};

/** The source's own loop lets it go, at its own pace: a give that ends must never leave it held. */
async function isLetGo({ from, source }: World, { admin }: Admin): Promise<boolean> {
  const { finalizers = [] } = (await admin.get(persistentVolumeClaims, { namespace: from, name: source })).metadata;
  return !finalizers.includes(holdFinalizer);
}

async function waits({ to, target }: World, { admin }: Admin): Promise<boolean> {
  const claim = await admin.find(persistentVolumeClaims, { namespace: to, name: target });
  return claim?.metadata.annotations?.[seedClaimStatus] === "pending";
}

/** Nobody came for it, and its owner wants it back. */
export const takenBack: Flow<World> = {
  ...ground,
  name: "give taken back",
  budget: 6,
  async begin(stage) {
    const world = await boundClaim(stage, { hasReaper: true });
    await give(world, stage);
    void whenLetGo(world, stage)
      .then(() => deleteSource(world, stage))
      .then(() => until("the source is gone", () => isGone(world, stage)))
      .then(() => accept(world, stage, "source"))
      .catch(() => undefined);
    return world;
  },
  isSettled: every(volumeIs("rolled-back"), isTold("source")),
  picture: endsAs({ volume: "Bound, Delete, rolled-back", claims: ["Bound, owner", "none"], ...nobodyAsked }),
};

async function isGone({ from, source }: World, { admin }: Admin): Promise<boolean> {
  return (await admin.find(persistentVolumeClaims, { namespace: from, name: source })) === undefined;
}

export const giveFlows: readonly Flow<World>[] = [givenAndAccepted, acceptedLate, givenAndWithdrawn, takenBack];
