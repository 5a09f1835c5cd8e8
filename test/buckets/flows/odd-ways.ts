import { namespaces, secrets } from "../../../src/api/gen/core.ts";
import { bucketContents, buckets } from "../../../src/api/gen/cosi.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { drop } from "./drop.ts";
import { endsAs, gone } from "./picture.ts";
import { scriptOn } from "./rpc-cases.ts";
import type { Who } from "./scene.ts";
import { releasedBeforeGone, stateRules } from "./state-rules.ts";
import { type BucketFlow, groundFor, madeAndDeleted, scripted, usedAndDeleted } from "./ways.ts";
import {
  bucketDeleted,
  bucketName,
  bucketOf,
  contentOf,
  deed,
  hasCondition,
  isBound,
  newBucket,
  newClass,
  newNamespace,
  secretName,
  secretOf,
  usedByItsOwner,
  type World,
} from "./world.ts";

const base64 = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));

/** No driver: the keys are an administrator's, and nobody touches them. */
export const controllerBindsStatic: BucketFlow = {
  ...groundFor(scripted("controller")),
  name: "controller: bucket of a class with a Secret",
  budget: 11,
  async begin(stage) {
    const { admin, past } = stage;
    const [namespace, place] = [await newNamespace(stage), await newNamespace(stage)];
    const data = base64({ endpoint: "http://127.0.0.1:1", bucketName: "b", accessKeyID: "a", accessSecretKey: "s" });
    const { metadata } = await admin.create(secrets, { metadata: { namespace: place, name: "admins" }, data });
    past.add(place);
    await newClass(namespace, { secretRef: { namespace: place, name: "admins" } }, stage);
    const admins = { namespace: place, version: metadata.resourceVersion };
    const world = { ...(await newBucket(namespace, stage)), admins };
    deed(
      world,
      "it is bound",
      () => isBound(world, stage),
      () => bucketDeleted(world, stage),
    );
    return world;
  },
};

async function takenName(namespace: string, { admin }: Stage) {
  const made = { metadata: { namespace, name: secretName }, data: base64({ diary: "private" }) };
  const { uid, resourceVersion: version } = (await admin.create(secrets, made)).metadata;
  return { uid, version };
}

const isInConflict = (world: World, stage: Stage) => async () =>
  hasCondition(await bucketOf(world, stage), "SecretConflict");

/** Somebody else's Secret has the name, and goes. */
export const controllerWaitsForName: BucketFlow = {
  ...madeAndDeleted(scripted("controller"), "controller: name of the Secret taken, then free"),
  async begin(stage) {
    const namespace = await newNamespace(stage);
    await newClass(namespace, { releasePolicy: "Delete" }, stage);
    const foreign = await takenName(namespace, stage);
    const world = { ...(await newBucket(namespace, stage)), foreign };
    const inTheWay = { namespace, name: secretName };
    deed(world, "the name is taken", isInConflict(world, stage), () =>
      drop(stage.admin, secrets, inTheWay, foreign.uid),
    );
    usedAndDeleted(world, stage);
    return world;
  },
};

/** Somebody else's Secret has the name for ever: the Bucket goes, and it stays. */
export const controllerLeavesForeignSecret: BucketFlow = {
  ...groundFor(scripted("controller")),
  name: "controller: name of the Secret taken to the end",
  budget: 7,
  async begin(stage) {
    const namespace = await newNamespace(stage);
    await newClass(namespace, { releasePolicy: "Delete" }, stage);
    const foreign = await takenName(namespace, stage);
    const world = { ...(await newBucket(namespace, stage)), foreign };
    deed(world, "the name is taken", isInConflict(world, stage), () => bucketDeleted(world, stage));
    return world;
  },
  picture: endsAs("controller", { ...gone, secrets: ["somebody else's"] }),
};

/** Somebody deletes the content while its Bucket stays: it serves on until the Bucket goes. */
export function contentDeletedByHand(who: Who): BucketFlow {
  return {
    ...madeAndDeleted(scripted(who), `${who}: content deleted by hand`),
    budget: who === "controller" ? 9 : 6,
    async begin(stage) {
      const namespace = await newNamespace(stage);
      await newClass(namespace, { releasePolicy: "Delete" }, stage);
      const world = await newBucket(namespace, stage);
      deed(
        world,
        "it is bound",
        () => isBound(world, stage),
        async () => {
          await drop(stage.admin, bucketContents, { name: world.content });
          await usedByItsOwner(world, stage);
          await bucketDeleted(world, stage);
        },
      );
      return world;
    },
  };
}

/** Somebody tears the content away: that is told, and no other bucket is made in the place of the one that is lost. */
export const controllerLosesContent: BucketFlow = {
  ...groundFor(scripted("controller")),
  name: "controller: content torn away",
  stateRules: stateRules.filter((rule) => rule !== releasedBeforeGone),
  budget: 7,
  async begin(stage) {
    const { admin } = stage;
    const namespace = await newNamespace(stage);
    await newClass(namespace, { releasePolicy: "Delete" }, stage);
    const world = await newBucket(namespace, stage);
    deed(
      world,
      "it is bound",
      () => isBound(world, stage),
      async () => {
        await usedByItsOwner(world, stage);
        await admin.merge(bucketContents, { name: world.content }, { metadata: { finalizers: [] } });
        await drop(admin, bucketContents, { name: world.content });
      },
    );
    const isTold = async () => (await bucketOf(world, stage))?.status?.phase === "Failed";
    // Its class stays: that it goes, too, would be told or not, as it happens.
    const itself = { namespace, name: bucketName };
    deed(world, "it is told", isTold, () => drop(admin, buckets, itself, world.uid));
    return world;
  },
  // Whoever tears it away takes the last one who knows of the keys.
  picture: endsAs("controller", { ...gone, inStore: ["its bucket with 1", "an account"], keys: "good" }),
};

const heldBy = "buckets.test.portway.dev/hold";

/** Bucket and namespace at once. Somebody holds the user's Secret, or it would be luck who deletes it. */
export function namespaceDeleted(who: Who): BucketFlow {
  return {
    ...madeAndDeleted(scripted(who), `${who}: Bucket and namespace deleted`),
    // A Secret that is held is deleted again by whoever does not know that it was.
    mayRepeat: ({ resource, subresource, verb }) =>
      (resource === "buckets" && subresource === "status") || (resource === "secrets" && verb === "delete"),
    async begin(stage) {
      const { admin } = stage;
      const namespace = await newNamespace(stage);
      await newClass(namespace, { releasePolicy: "Delete" }, stage);
      const world = await newBucket(namespace, stage);
      const key = { namespace, name: secretName };
      deed(
        world,
        "it is bound",
        () => isBound(world, stage),
        async () => {
          await usedByItsOwner(world, stage);
          await admin.merge(secrets, key, { metadata: { finalizers: [heldBy] } });
          await drop(admin, namespaces, { name: namespace });
          await bucketDeleted(world, stage);
        },
      );
      const isLetGo = async () => {
        const secret = await secretOf(world, stage);
        const isHeld = secret?.metadata.finalizers?.includes(heldBy) === true;
        return isHeld && (await bucketOf(world, stage)) === undefined;
      };
      deed(world, "the Bucket is gone", isLetGo, () => admin.merge(secrets, key, { metadata: { finalizers: [] } }));
      return world;
    },
  };
}

/** The driver refuses to make the bucket, and the Bucket goes: what was refused was perhaps done. */
export const sidecarIsRefused: BucketFlow = {
  ...groundFor(scripted("sidecar")),
  name: "sidecar: bucket refused, and deleted",
  budget: 3,
  async begin(stage) {
    const namespace = await newNamespace(stage);
    scriptOn(stage).usually([{ method: "CreateBucket", when: "after", fault: { code: "INVALID_ARGUMENT" } }]);
    await newClass(namespace, { releasePolicy: "Retain" }, stage);
    const world = await newBucket(namespace, stage);
    const isRefused = async () => (await contentOf(world, stage))?.status?.phase === "Failed";
    deed(world, "it is refused", isRefused, () => bucketDeleted(world, stage));
    return world;
  },
};

/** The driver is at it when the Bucket goes: what it makes all the same is taken back. */
export function deletedDuring(method: "CreateBucket" | "GrantBucketAccess"): BucketFlow {
  const store = method === "CreateBucket" ? "scripted" : "scripted, grants apart";
  return {
    ...groundFor({ who: "sidecar", store }),
    name: `sidecar: Bucket deleted during ${method}`,
    budget: 2,
    async begin(stage) {
      const namespace = await newNamespace(stage);
      scriptOn(stage).usually([{ method, when: "after", fault: "slow", milliseconds: 700 }]);
      await newClass(namespace, { releasePolicy: "Retain" }, stage);
      const world = await newBucket(namespace, stage);
      const isAtIt = () =>
        scriptOn(stage)
          .calls()
          .slice(world.before.calls)
          .some((call) => call.method === method);
      deed(world, "the driver is at it", isAtIt, () => bucketDeleted(world, stage));
      return world;
    },
  };
}

/** A class that names no driver there is: nobody has begun, and nobody else could let it go. */
export const controllerFindsNoDriver: BucketFlow = {
  ...groundFor(scripted("controller")),
  name: "controller: driver that is not there",
  budget: 7,
  async begin(stage) {
    const namespace = await newNamespace(stage);
    await newClass(namespace, { provisioner: "nowhere.test.portway.dev" }, stage);
    const world = await newBucket(namespace, stage);
    const isTold = async () => hasCondition(await bucketOf(world, stage), "DriverAvailable", "False");
    deed(world, "it is told", isTold, () => bucketDeleted(world, stage));
    return world;
  },
};
