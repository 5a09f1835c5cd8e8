import { isDeepStrictEqual } from "node:util";
import { persistentVolumeClaims, persistentVolumes } from "../../../src/api/gen/core.ts";
import { cloneFinalizer, volumeFinalizer } from "../../../src/provision/names.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { intentsOf, sceneOn, volumesOf, type World } from "./ground.ts";
import { askedUnannounced, takenAwayTooEarly } from "./order.ts";

/** What is there in the end, here and in the driver. */
export interface Picture {
  readonly claim: string;
  readonly volume: string;
  /** P1: what the driver has for the claim, and whether its volume names it. */
  readonly inDriver: readonly string[];
  /** P2: how many different requests there were under the one name. */
  readonly requests: number;
  readonly misuse: readonly string[];
  /** What was written before, and must not be there any more. */
  readonly intents: readonly string[];
  readonly held: readonly string[];
  readonly tooEarly: readonly string[];
}

/** How a flow must end. Throws when it does not: the run that all others are compared with is judged, too. */
export function endsAs(expected: Pick<Picture, "claim" | "volume" | "inDriver">) {
  const whole = { ...expected, requests: 1, misuse: [], intents: [], held: [], tooEarly: [] };
  return async (world: World, stage: Stage): Promise<Picture> => {
    const picture = await pictureOf(world, stage);
    if (isDeepStrictEqual(picture, whole)) return picture;
    throw new Error(`it ends as ${JSON.stringify(picture)}, not as ${JSON.stringify(whole)}`);
  };
}

export const gone = endsAs({ claim: "none", volume: "none", inDriver: [] });

async function pictureOf(world: World, stage: Stage): Promise<Picture> {
  const { admin } = stage;
  const { namespace, claim: name, volume } = world;
  const { driver } = sceneOn(stage);
  const claim = await admin.find(persistentVolumeClaims, { namespace, name });
  const stored = await admin.find(persistentVolumes, { name: volume });
  const { persistentVolumeReclaimPolicy: policy, csi } = stored?.spec ?? {};
  const isHeld = stored?.metadata.finalizers?.includes(volumeFinalizer) === true;
  const asked = driver.calls().filter(({ method, of }) => method === "CreateVolume" && of === volume);
  return {
    claim: claim?.status?.phase ?? "none",
    volume: stored === undefined ? "none" : [stored.status?.phase, policy, isHeld ? "held" : "free"].join(", "),
    inDriver: volumesOf(world, stage).map(({ id, source }) =>
      [
        id === csi?.volumeHandle ? "the volume's" : "nobody's",
        ...(source === undefined ? [] : [filledFrom(source)]),
      ].join(", "),
    ),
    requests: new Set(asked.map(({ request }) => JSON.stringify(request))).size,
    misuse: driver
      .inventory()
      .misuse.filter(({ of }) => of === volume)
      .map(({ says }) => says),
    intents: await intentsOf(world, stage),
    held: await heldSources(world, stage),
    tooEarly: [...askedUnannounced(world, stage), ...takenAwayTooEarly(world, stage)],
  };
}

function filledFrom(source: { readonly snapshot: string } | { readonly volume: string }): string {
  return "snapshot" in source ? "of the snapshot" : "of the source";
}

/** P8: whatever was a source is free again. */
async function heldSources({ namespace }: World, { admin }: Stage): Promise<readonly string[]> {
  const held: string[] = [];
  for await (const { items } of admin.pages(persistentVolumeClaims, { namespace }))
    held.push(
      ...items
        .filter(({ metadata }) => metadata.finalizers?.includes(cloneFinalizer) === true)
        .map(({ metadata }) => metadata.name),
    );
  return held;
}
