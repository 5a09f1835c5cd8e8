import {
  type Event,
  events,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../../src/api/gen/core.ts";
import { volumeSnapshots } from "../../../src/api/gen/snapshot.ts";
import type { KubeObject, Resource, Stored } from "../../../src/api/object.ts";
import type { Client } from "../../../src/kube/client.ts";
import type { StationKind } from "./case.ts";
import type { Look } from "./record.ts";
import type { Side } from "./side.ts";
import type { Sight, Watched } from "./sight.ts";
import type { Station } from "./station.ts";
import type { Words } from "./words.ts";

export type Claim = Stored<PersistentVolumeClaim>;
export type Volume = Stored<PersistentVolume>;

/** What the cases are about, by their namespaces; events by whom they are about. */
export const watched: readonly Watched[] = [
  { resource: persistentVolumeClaims, groupOf: ({ metadata }) => metadata.namespace },
  { resource: volumeSnapshots, groupOf: ({ metadata }) => metadata.namespace },
  { resource: persistentVolumes, groupOf: (volume: PersistentVolume) => volume.spec?.claimRef?.namespace },
  { resource: events, groupOf: (event: KubeObject) => (event as Event).involvedObject.uid },
];

/** What all cases share. */
export interface Stage {
  readonly admin: Client;
  readonly sight: Sight;
  /** What has no namespace and has to be taken away in the end. */
  readonly litter: [resource: Resource, object: Stored<KubeObject>][];
}

/** One case, as it is played with one program. */
export interface Scene extends Stage {
  readonly side: Side;
  readonly station: Station;
  readonly namespace: string;
  readonly words: Words;
  /** Ids that only the driver knows, and what to call them. */
  readonly handles: Map<string, string>;
  claim(name: string): Claim | undefined;
  /** The volume that was made or written down for the claim of this name. */
  volume(claim: string): Volume | undefined;
  knownVolume(claim: string): Volume;
}

/** Makes sure that the others have had their turn, and is no part of what is compared. */
export const bystander = "bystander";

export function sceneOf(stage: Stage, side: Side, kind: StationKind, id: string): Scene {
  const namespace = `${side.run}-${side.letter}-${id}`;
  const station = side.stationOf(kind);
  const other = side.stationOf(kind === "secrets" ? "scripted" : "secrets").driver;
  const scene: Scene = {
    ...stage,
    side,
    station,
    namespace,
    words: { $case: namespace, $driver: station.driver, $other: other, $run: side.run },
    handles: new Map(),
    claim: (name) => stage.sight.now(persistentVolumeClaims, `${namespace}/${name}`),
    volume(claim) {
      const last = volumesIn(scene).findLast(({ spec }) => spec?.claimRef?.name === claim);
      return last === undefined ? undefined : stage.sight.now(persistentVolumes, last.metadata.name);
    },
    knownVolume(claim) {
      const volume = scene.volume(claim);
      if (volume === undefined) throw new Error(`${claim} has no volume`);
      return volume;
    },
  };
  return scene;
}

/** Every version of every volume for a claim of the case. */
export function volumesIn({ sight, namespace }: Scene): readonly Volume[] {
  return sight
    .versions(persistentVolumes, namespace)
    .map(({ object }) => object)
    .filter(({ spec }) => spec?.claimRef?.name !== bystander);
}

/** The words of templates, with the names that came up only while the case ran. */
export function wordsNow(scene: Scene, claims: readonly string[]): Words {
  const names = claims.flatMap((claim) => {
    const volume = scene.volume(claim);
    return volume === undefined ? [] : [[`$volume-of-${claim}`, volume.metadata.name] as const];
  });
  return { ...scene.words, ...Object.fromEntries(names) };
}

/** What is there of the case now; asked for, because of what is only watched one kind may be known later than another. */
export async function lookAt(scene: Scene): Promise<Look> {
  const { admin, namespace } = scene;
  const [claims, volumes]: [Record<string, KubeObject>, Record<string, KubeObject>] = [{}, {}];
  for (const name of namesIn(scene)) {
    const claim = await admin.find(persistentVolumeClaims, { namespace, name });
    if (claim !== undefined) claims[name] = claim;
    const known = volumesIn(scene).findLast(({ spec }) => spec?.claimRef?.name === name);
    const volume = known === undefined ? undefined : await admin.find(persistentVolumes, known.metadata);
    if (volume !== undefined) volumes[name] = volume;
  }
  return { claims, volumes };
}

/** The names of the claims that the case ever had. */
export function namesIn(scene: Scene): readonly string[] {
  return [...new Set(claimsIn(scene).map(({ metadata }) => metadata.name))];
}

/** Every version of every claim of the case. */
export function claimsIn({ sight, namespace }: Scene): readonly Claim[] {
  const all = sight.versions(persistentVolumeClaims, namespace).map(({ object }) => object);
  return all.filter(({ metadata }) => metadata.name !== bystander);
}

const strangers = [
  "persistentvolume-controller",
  "default-scheduler",
  "snapshot-controller",
  "attachdetach-controller",
];

/** Whether a provisioner said it. */
export function isOurs({ source, reportingComponent }: Event): boolean {
  return !strangers.includes(source?.component ?? reportingComponent ?? "");
}
