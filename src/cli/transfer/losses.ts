import { type StatefulSet, statefulSets } from "../../api/gen/apps.ts";
import { type PersistentVolumeClaim, type Pod, persistentVolumeClaims, pods } from "../../api/gen/core.ts";
import { type VolumeSnapshot, volumeSnapshots } from "../../api/gen/snapshot.ts";
import type { Stored } from "../../api/object.ts";
import { controllerOf, isNumbered, makes } from "../../transfer/template.ts";
import type { Eyes, Sight } from "../kubectl/eyes.ts";
import { inWords, type Place } from "../kubectl/names.ts";

/** The claim that is to be given up, and those who will notice. */
export interface Losses {
  readonly claim: Sight<Stored<PersistentVolumeClaim> | undefined>;
  readonly pods: Sight<readonly Stored<Pod>[]>;
  readonly snapshots: Sight<readonly Stored<VolumeSnapshot>[]>;
  /** Those that have a template for a claim of this name. */
  readonly makers: Sight<readonly Stored<StatefulSet>[]>;
}

const nobody = { is: "seen", value: [] } as const;

export async function lossesAt(eyes: Eyes, source: Place): Promise<Losses> {
  const { namespace, name } = source;
  const [claim, everyPod, everySnapshot, everySet] = [
    await eyes.find(persistentVolumeClaims, source),
    await eyes.list(pods, { namespace }),
    await eyes.list(volumeSnapshots, { namespace }),
    // Nobody is asked for StatefulSets, or told that they are hidden, whose claim none of them can have made.
    isNumbered(name) ? await eyes.list(statefulSets, { namespace }) : nobody,
  ];
  return {
    claim,
    pods: only(everyPod, (pod) => uses(pod, name)),
    snapshots: only(everySnapshot, ({ spec }) => spec.source.persistentVolumeClaimName === name),
    makers: only(everySet, (set) => makes(set, name)),
  };
}

function only<T>(sight: Sight<readonly T[]>, holds: (one: T) => boolean): Sight<readonly T[]> {
  return sight.is === "seen" ? { is: "seen", value: sight.value.filter(holds) } : sight;
}

function uses({ spec }: Stored<Pod>, claim: string): boolean {
  return (spec?.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim);
}

/** Who is affected, one line each; what could not be seen is told elsewhere, once. */
export function lossesInWords({ claim, pods, snapshots, makers }: Losses, source: Place): readonly string[] {
  return [
    ...(claim.is === "seen" ? [claimInWords(claim.value, source)] : []),
    ...(pods.is === "seen" ? pods.value.map(podInWords) : []),
    ...(snapshots.is === "seen" ? snapshots.value.map(snapshotInWords) : []),
    ...makersInWords(claim.is === "seen" ? claim.value : undefined, makers.is === "seen" ? makers.value : []),
  ];
}

function claimInWords(claim: Stored<PersistentVolumeClaim> | undefined, source: Place): string {
  if (claim === undefined) return `there is no claim ${inWords(source)}`;
  const { volumeName } = claim.spec ?? {};
  const facts = [claim.status?.phase ?? "Pending", sizeOf(claim), ...(volumeName === undefined ? [] : [volumeName])];
  return `the claim ${inWords(source)} (${facts.join(", ")}) goes from its namespace`;
}

function sizeOf({ spec, status }: Stored<PersistentVolumeClaim>): string {
  return String(status?.capacity?.["storage"] ?? spec?.resources?.requests?.["storage"] ?? "unknown size");
}

function podInWords({ metadata, status }: Stored<Pod>): string {
  return `the pod ${metadata.name} (${status?.phase ?? "Unknown"}) uses it, and must be stopped and deleted first`;
}

function snapshotInWords({ metadata }: Stored<VolumeSnapshot>): string {
  return `the snapshot ${metadata.name} stays with the giver, who so keeps a copy of the data`;
}

/** A set that owns the claims of its template, as some do, is told once. */
function makersInWords(
  claim: Stored<PersistentVolumeClaim> | undefined,
  makers: readonly Stored<StatefulSet>[],
): readonly string[] {
  const owner = claim === undefined ? undefined : controllerOf(claim);
  const sets = makers.map(({ metadata }) => `StatefulSet ${metadata.name}`).filter((set) => set !== owner);
  return [
    ...(owner === undefined ? [] : [`the ${owner} owns it, and may make it again, empty`]),
    ...sets.map((set) => `the ${set} has a template for it, and may make it again, empty`),
  ];
}
