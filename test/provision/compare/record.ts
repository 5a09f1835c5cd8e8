import { events, type PersistentVolume, persistentVolumeClaims, persistentVolumes } from "../../../src/api/gen/core.ts";
import { volumeSnapshots } from "../../../src/api/gen/snapshot.ts";
import type { KubeObject } from "../../../src/api/object.ts";
import { type Json, type Mask, maskOf } from "./mask.ts";
import { bystander, claimsIn, isOurs, type Scene, volumesIn } from "./scene.ts";
import { allStations } from "./side.ts";
import type { Seen } from "./sight.ts";
import { unanswered } from "./tap.ts";

/** Claims and volumes at one moment, by the names of the claims. */
export interface Look {
  readonly claims: Readonly<Record<string, KubeObject>>;
  readonly volumes: Readonly<Record<string, KubeObject>>;
}

/** Everything that is compared of one case, without what is different in every run. */
export type CaseRecord = {
  /** The steps that waited for something, and whether it came true. */
  readonly waits: Readonly<Record<string, string>>;
  readonly looks: Json;
  readonly finalizers: Json;
  readonly events: Json;
  readonly calls: Json;
};

interface Taken {
  readonly looks: Readonly<Record<string, Look>>;
  readonly waits: Readonly<Record<string, string>>;
}

export function recordOf(scene: Scene, { looks, waits }: Taken): CaseRecord {
  const mask = maskOf(scene);
  return {
    waits,
    looks: mask.json(looks),
    finalizers: mask.json(finalizersIn(scene)),
    events: mask.json(eventsIn(scene, mask)),
    calls: callsIn(scene, mask),
  };
}

/** For every finalizer that an object ever had, when it came and went. */
function finalizersIn({ sight, namespace }: Scene): Json {
  const found: Record<string, Record<string, string>> = {};
  const note = (whose: string, seen: readonly Seen<KubeObject>[]) => {
    for (const { type, object } of seen) {
      const histories = (found[whose] ??= {});
      const now = type === "DELETED" ? [] : (object.metadata.finalizers ?? []);
      for (const finalizer of new Set([...Object.keys(histories), ...now]))
        histories[finalizer] = continued(histories[finalizer], now.includes(finalizer) ? "on" : "off");
    }
  };
  for (const resource of [persistentVolumeClaims, persistentVolumes, volumeSnapshots]) {
    const byName = Map.groupBy(sight.versions<KubeObject>(resource, namespace), ({ object }) => nameOf(object));
    for (const [name, seen] of byName) if (name !== bystander) note(`${resource.kind} ${name}`, seen);
  }
  return found;
}

function continued(history: string | undefined, word: "on" | "off"): string {
  if (history === undefined) return word;
  return history.endsWith(word) ? history : `${history}, ${word}`;
}

/** A volume goes by the name of its claim. */
function nameOf(object: PersistentVolume): string {
  return object.spec?.claimRef?.name ?? object.metadata.name ?? "";
}

/** Each message once: how often it is told depends on how long one waits. */
function eventsIn(scene: Scene, mask: Mask): Json {
  const found: Record<string, Record<"message" | "from", Set<string>>> = {};
  for (const [uid, whom] of subjectsOf(scene)) {
    for (const { object } of scene.sight.versions(events, uid)) {
      if (!isOurs(object)) continue;
      const told = (found[`${whom}: ${object.type} ${object.reason}`] ??= { message: new Set(), from: new Set() });
      told.message.add(mask.text(object.message ?? ""));
      told.from.add(mask.text(object.source?.component ?? object.reportingComponent ?? ""));
    }
  }
  const sorted = Object.entries(found).map(([key, { message, from }]) => [
    key,
    { message: [...message].sort(), from: [...from].sort() },
  ]);
  return Object.fromEntries(sorted) as Json;
}

function subjectsOf(scene: Scene): ReadonlyMap<string, string> {
  return new Map([
    ...volumesIn(scene).map((volume) => [volume.metadata.uid, `volume of ${nameOf(volume)}`] as const),
    ...claimsIn(scene).map(({ metadata }) => [metadata.uid, `claim ${metadata.name}`] as const),
  ]);
}

/** What the drivers were asked about this case, each request once: a try that fails is made again. */
function callsIn(scene: Scene, mask: Mask): Json {
  const handles = volumesIn(scene).map(({ spec }) => `${spec?.csi?.driver} ${spec?.csi?.volumeHandle}`);
  const uids = claimsIn(scene).map(({ metadata }) => metadata.uid);
  const isAbout = (driver: string, of: string) =>
    handles.includes(`${driver} ${of}`) || uids.some((uid) => of.includes(uid));
  const found: Record<string, Json[]> = {};
  for (const kind of allStations) {
    const { driver, tap } = scene.side.stationOf(kind);
    for (const { method, of, request, secrets, reply } of tap.heard) {
      // One that is under way is no more than another try: whatever was waited for has come.
      if (!isAbout(driver, of) || reply === unanswered) continue;
      const call = mask.json({ request, secrets, reply });
      const calls = (found[mask.text(`${driver} ${method} ${of}`)] ??= []);
      if (!calls.some((one) => JSON.stringify(one) === JSON.stringify(call))) calls.push(call);
    }
  }
  return found;
}
