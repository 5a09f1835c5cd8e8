import { intentPrefix } from "../../../src/provision/intents/intent.ts";
import type { WriteRecord } from "../../faults/proxy/write-record.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { sceneOn, type World } from "./ground.ts";

/** The driver and the proxy look at the same clock, each with its own rounding. */
const blurMilliseconds = 5;

/** A moment of the proxy's log as the driver counts time. */
function wall(at: number): number {
  return Date.now() - performance.now() + at;
}

function isPage({ resource, upkeep, code }: WriteRecord): boolean {
  return resource === "leases" && !upkeep && code !== undefined && code < 300;
}

/** What the pages said when the driver was called: an intent that was not stored by then would not outlive a crash. */
export function askedUnannounced({ uid, volume }: World, stage: Pick<Stage, "cluster" | "proxy">): readonly string[] {
  const { driver, home } = sceneOn(stage);
  const pages = stage.proxy.log().filter((write) => isPage(write) && write.namespace === home);
  const calls = driver.calls().filter(({ method, of }) => method === "CreateVolume" && of === volume);
  return calls.flatMap(({ n, at }) => {
    const before = pages.findLast(
      ({ answeredAt }) => answeredAt !== undefined && wall(answeredAt) <= at + blurMilliseconds,
    );
    const { annotations = {} } = before?.answer?.metadata ?? {};
    return `${intentPrefix}${uid}` in annotations ? [] : [`call ${n} came before its intent was stored`];
  });
}

/** A volume that goes with its claim is held until the driver has deleted what it stands for. */
export function takenAwayTooEarly(
  { volume }: World,
  stage: Pick<Stage, "cluster" | "proxy" | "monitor">,
): readonly string[] {
  const { driver } = sceneOn(stage);
  const writes = stage.proxy.log().filter(({ resource, name }) => resource === "persistentvolumes" && name === volume);
  const made = writes.find(({ verb, code }) => verb === "create" && code === 201)?.answer as
    | { readonly spec?: { readonly csi?: { readonly volumeHandle?: string } } }
    | undefined;
  const first = writes.find(({ verb }) => verb === "delete" || verb === "patch");
  if (first === undefined || isKept(first, stage)) return [];
  const handle = made?.spec?.csi?.volumeHandle;
  // What the driver does not know any more is deleted, too.
  const isInTime = driver
    .calls()
    .filter(
      ({ method, of, reply }) => method === "DeleteVolume" && of === handle && /^(OK|NOT_FOUND)$/.test(reply ?? ""),
    )
    .some(({ repliedAt }) => repliedAt !== undefined && repliedAt <= wall(first.at) + blurMilliseconds);
  return isInTime ? [] : [`the ${first.verb} of the volume came before the driver had deleted it`];
}

/** Nobody has to hold what an admin wants to keep. */
function isKept({ name }: WriteRecord, { monitor }: Pick<Stage, "monitor">): boolean {
  const versions = monitor.history("persistentvolumes").filter(({ object }) => object.metadata.name === name);
  return versions.some(({ object }) => (object as Kept).spec?.persistentVolumeReclaimPolicy === "Retain");
}

interface Kept {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly persistentVolumeReclaimPolicy?: string };
}
