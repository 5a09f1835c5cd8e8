import { isDeepStrictEqual } from "node:util";
import { secrets } from "../../../src/api/gen/core.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { askedDifferently, callsOf, tooEarly } from "./calls.ts";
import { sceneOn, type Who } from "./scene.ts";
import { bucketOf, contentOf, keysGiven, misuseOf, secretOf, type World } from "./world.ts";

/** What is there in the end, here and in both stores. */
export interface Picture {
  readonly bucket: string;
  readonly content: string;
  /** In the user's namespace and in the sidecar's. */
  readonly secrets: readonly string[];
  /** B1: all that the store has. */
  readonly inStore: readonly string[];
  /** B3: whoever has such keys asks the store. */
  readonly keys: string;
}

/** How a flow must end. Throws when it does not: the run that all others are compared with is judged, too. */
export function endsAs(who: Who, expected: Picture) {
  const whole = { ...expected, wrong: [] };
  const isKept = expected.inStore.length > 0;
  return async (world: World, stage: Stage) => {
    const wrong = [...(isKept ? deletedIn(world, stage) : []), ...(await wrongIn(world, stage, who))];
    const picture = { ...(await pictureOf(world, stage)), wrong };
    if (isDeepStrictEqual(picture, whole)) return picture;
    throw new Error(`it ends as ${JSON.stringify(picture)}, not as ${JSON.stringify(whole)}`);
  };
}

export const gone: Picture = {
  bucket: "none",
  content: "none",
  secrets: [],
  inStore: [],
  keys: "dead",
};

async function pictureOf(world: World, stage: Stage): Promise<Picture> {
  const { keeper } = sceneOn(stage);
  const { buckets, accounts } = await keeper.held();
  const opening = await Promise.all(keysGiven(stage).map((keys) => keeper.opens(keys)));
  return {
    bucket: (await bucketOf(world, stage))?.status?.phase ?? "none",
    content: (await contentOf(world, stage))?.status?.phase ?? "none",
    secrets: await secretsLeft(world, stage),
    inStore: [
      ...buckets.map(({ name, objects }) => `${name === world.storeName ? "its bucket" : "a bucket"} with ${objects}`),
      ...accounts.map(() => "an account"),
    ],
    keys: opening.includes(true) ? "good" : "dead",
  };
}

async function secretsLeft(world: World, stage: Stage): Promise<readonly string[]> {
  const left: string[] = [];
  for await (const { items } of stage.admin.pages(secrets, { namespace: sceneOn(stage).home }))
    left.push(...items.map(() => "the sidecar's"));
  const found = await secretOf(world, stage);
  if (found === undefined) return left;
  return [...left, found.metadata.uid === world.foreign?.uid ? "somebody else's" : "the user's"];
}

function deletedIn(world: World, stage: Stage): readonly string[] {
  const calls = callsOf(world, stage).filter(({ method }) => method === "DeleteBucket");
  return calls.map(({ n }) => `B2 call ${n} deletes a bucket that is kept`);
}

async function wrongIn(world: World, stage: Stage, who: Who): Promise<readonly string[]> {
  const { keeper, other, heldByOther } = sceneOn(stage);
  const calls = callsOf(world, stage);
  return [
    ...askedDifferently(calls),
    ...tooEarly(world, stage, who),
    ...[...misuseOf(keeper).slice(world.before.misuse), ...misuseOf(other)].map(
      ({ method, of, says }) => `${method} ${of}: ${says}`,
    ),
    ...(JSON.stringify(await other.held()) === heldByOther ? [] : ["B6 the other driver's store has changed"]),
    ...world.opened.map(() => "B3 keys opened the bucket after its content was released"),
    ...(await touched(world, stage)),
  ];
}

/** B4, B5: what others have made is as they have left it. */
async function touched({ admins, foreign, ...world }: World, stage: Stage): Promise<readonly string[]> {
  const { admin } = stage;
  const ofAdmins =
    admins === undefined ? undefined : await admin.find(secrets, { namespace: admins.namespace, name: "admins" });
  const found = foreign === undefined ? undefined : await secretOf({ ...world, foreign }, stage);
  const isChanged = foreign !== undefined && found?.metadata.uid === foreign.uid;
  return [
    ...(admins === undefined || ofAdmins?.metadata.resourceVersion === admins.version
      ? []
      : ["B5 the administrator's Secret has changed"]),
    ...(isChanged && found?.metadata.resourceVersion !== foreign.version
      ? ["B4 somebody else's Secret has changed"]
      : []),
  ];
}
