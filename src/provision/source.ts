import { defined } from "../api/defined.ts";
import type { PersistentVolumeClaim } from "../api/gen/core.ts";
import { volumeSnapshots } from "../api/gen/snapshot.ts";

/** Which field of the claim it came in through. */
export type Door = "dataSource" | "dataSourceRef";

/** What a claim is to be filled with. Past `sourceOf` nobody reads the claim's own fields again. */
export interface DataSource {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** Absent is not the same as the claim's own, written out: whoever writes one may need a grant. */
  readonly namespace?: string;
  readonly door: Door;
}

export function sourceOf({ spec = {} }: PersistentVolumeClaim): DataSource | undefined {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource) return { ...partsOf(dataSource), door: "dataSource" };
  if (!dataSourceRef) return undefined;
  const namespace = dataSourceRef.namespace || undefined;
  return { ...partsOf(dataSourceRef), ...defined({ namespace }), door: "dataSourceRef" };
}

/** The server writes an absent group as null. */
function partsOf(reference: { readonly apiGroup?: string | null; readonly kind: string; readonly name: string }) {
  return { group: reference.apiGroup ?? "", kind: reference.kind, name: reference.name };
}

export function isSnapshot({ group, kind }: DataSource): boolean {
  return group === volumeSnapshots.group && kind === volumeSnapshots.kind;
}

export function isClaim({ group, kind }: DataSource): boolean {
  return group === "" && kind === "PersistentVolumeClaim";
}

/** What the driver cannot fill is somebody else's work: the claim is left alone, never given an empty volume. */
export function whoFills(source: DataSource): "driver" | "populator" {
  return isSnapshot(source) || isClaim(source) ? "driver" : "populator";
}

/** Where it is to be looked for. */
export function placeOfSource(
  { name, namespace }: DataSource,
  { metadata }: Pick<PersistentVolumeClaim, "metadata">,
): { readonly namespace: string; readonly name: string } {
  return { namespace: namespace ?? metadata.namespace ?? "", name };
}
