import {
  type ConfigMap,
  configMaps,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import type { Look } from "../../src/runtime/reconciler.ts";
import type { Sources } from "../../src/runtime/sources.ts";
import { deedLabel, type Journal, journalIn } from "./journal.ts";

/** A claim, the volume it is bound to, and the deed that goes with it. */
export interface Seen {
  readonly claim: Stored<PersistentVolumeClaim>;
  readonly volume: Stored<PersistentVolume> | undefined;
  readonly deed: Stored<ConfigMap> | undefined;
  readonly journal: Journal | undefined;
  readonly now: Date;
}

export function deedWatches(sources: Sources) {
  return {
    claims: sources.watch(persistentVolumeClaims, { project: (claim) => claim }).cache,
    volumes: sources.watch(persistentVolumes, { project: (volume) => volume }).cache,
    deeds: sources.watch(configMaps, {
      where: { labelSelector: deedLabel },
      project: (deed) => deed,
      indexes: { claim: claimOf },
    }).cache,
  };
}

export type Watches = ReturnType<typeof deedWatches>;

export function claimOf({ metadata: { namespace = "", labels = {} } }: ConfigMap): readonly string[] {
  return [`${namespace}/${labels[deedLabel] ?? ""}`];
}

export async function observe(
  { claims, volumes, deeds }: Watches,
  key: string,
  { now }: Look,
): Promise<Seen | undefined> {
  const claim = claims.get(key);
  if (claim === undefined) return undefined;
  const bound = volumes.get(claim.spec?.volumeName ?? "");
  const volume = bound?.spec?.claimRef?.uid === claim.metadata.uid ? bound : undefined;
  const journal = journalIn(volume?.metadata.annotations);
  const mine = deeds.by("claim", key);
  const deed = journal === undefined ? mine[0] : mine.find(({ metadata }) => metadata.uid === journal.deedUid);
  return { claim, volume, deed, journal, now };
}
