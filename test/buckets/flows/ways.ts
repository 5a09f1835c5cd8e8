import { setTimeout as sleep } from "node:timers/promises";
import { secrets } from "../../../src/api/gen/core.ts";
import { bucketContents, buckets } from "../../../src/api/gen/cosi.ts";
import type { Flow, Stage } from "../../faults/sweep/flow.ts";
import { orderOfController, orderOfSidecar } from "./order-rules.ts";
import { endsAs, gone, type Picture } from "./picture.ts";
import { accountFor, programOf, type Setting, sceneOn, setScene, type Who } from "./scene.ts";
import { stateRules } from "./state-rules.ts";
import {
  bucketDeleted,
  bucketOf,
  clear,
  deed,
  isBound,
  isGone,
  newBucket,
  newClass,
  newNamespace,
  usedByItsOwner,
  type World,
} from "./world.ts";

export type BucketFlow = Flow<World>;

export const scripted = (who: Who): Setting => ({ who, store: "scripted" });

/** What all flows of buckets have in common, by whom is under test. */
export function groundFor(setting: Setting) {
  const { who } = setting;
  return {
    watched: [{ resource: buckets }, { resource: bucketContents }, { resource: secrets }],
    sees: who === "controller" ? ["buckets", "bucketcontents", "bucketclasses"] : ["bucketcontents"],
    stateRules,
    orderRules: who === "controller" ? orderOfController : orderOfSidecar,
    mendsRefusals: true,
    // How often a Bucket says what it waits for is a matter of time.
    mayRepeat: ({ resource, subresource }) => resource === "buckets" && subresource === "status",
    beside: (stage, undo) => setScene(setting, stage, undo),
    install: (stage) => accountFor(who, stage),
    program: (kubeconfig) => programOf(who, kubeconfig),
    isSettled: isOver,
    picture: endsAs(who, gone),
    clear,
  } as const satisfies Partial<BucketFlow>;
}

async function isOver(world: World, stage: Stage): Promise<boolean> {
  return (await isGone(world, stage)) && (await allIsDone(world));
}

async function allIsDone({ deeds }: World): Promise<boolean> {
  return await Promise.race([Promise.all(deeds).then(() => true), sleep(10, false)]);
}

/** Bound, used, and then deleted with its class: unless somebody else is faster. */
export function usedAndDeleted(world: World, stage: Stage): void {
  const isLeaving = async () => (await bucketOf(world, stage))?.metadata.deletionTimestamp !== undefined;
  const isEnding = async () => (await isLeaving()) || (await isGone(world, stage));
  deed(
    world,
    "it is bound",
    async () => (await isBound(world, stage)) || (await isEnding()),
    async () => {
      if (await isEnding()) return;
      await usedByItsOwner(world, stage);
      await sceneOn(stage).beforeDeletion();
      await bucketDeleted(world, stage);
    },
  );
}

/** Asked for, made, bound, used; and when that is over, deleted with everything in it. */
export function madeAndDeleted(setting: Setting, name: string): BucketFlow {
  return {
    ...groundFor(setting),
    name,
    budget: setting.who === "controller" ? 10 : 6,
    async begin(stage) {
      const namespace = await newNamespace(stage);
      await newClass(namespace, { releasePolicy: "Delete" }, stage);
      const world = await newBucket(namespace, stage);
      usedAndDeleted(world, stage);
      return world;
    },
  };
}

const kept: Picture = { ...gone, inStore: ["its bucket with 1"] };

/** The bucket stays with what is in it, and nobody has keys to it. */
export function retained(who: Who): BucketFlow {
  return {
    ...madeAndDeleted(scripted(who), `${who}: bucket retained`),
    async begin(stage) {
      const namespace = await newNamespace(stage);
      await newClass(namespace, { releasePolicy: "Retain" }, stage);
      const world = await newBucket(namespace, stage);
      usedAndDeleted(world, stage);
      return world;
    },
    picture: endsAs(who, kept),
  };
}

/** One that was there before gets keys, and is left as it was. */
export function brownfield(setting: Setting, name: string): BucketFlow {
  return {
    ...madeAndDeleted(setting, name),
    async begin(stage) {
      const namespace = await newNamespace(stage);
      const bucketIdentifier = await sceneOn(stage).keeper.makeBucket(`before-${namespace}`);
      await newClass(namespace, { bucketIdentifier, releasePolicy: "Retain" }, stage);
      const world = await newBucket(namespace, stage);
      usedAndDeleted(world, stage);
      return world;
    },
    picture: endsAs(setting.who, { ...kept, inStore: ["a bucket with 1"] }),
  };
}
