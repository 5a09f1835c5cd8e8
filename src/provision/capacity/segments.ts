import type { VolumeNodeAffinity } from "../../api/gen/core.ts";
import type { CSIStorageCapacity, StorageClass } from "../../api/gen/storage.ts";
import type { KubeObject } from "../../api/object.ts";
import { type LabelledNode, type NodeDrivers, topologyKeys } from "../topology.ts";
import { type Segments, segmentsOn, textOf } from "../topology-terms.ts";

export const driverNameLabel = "csi.storage.k8s.io/drivername";
export const managedByLabel = "csi.storage.k8s.io/managed-by";
/** The vendor's sidecar calls itself so: whoever is swapped for it goes on with its objects. */
export const managedBy = "external-provisioner";

/** Where volumes of this node are; undefined while the driver does not run there, or the kubelet has not labelled it. */
export function segmentOf(
  driverName: string,
  node: LabelledNode | undefined,
  csiNode: NodeDrivers | undefined,
): Segments | undefined {
  const keys = csiNode === undefined ? undefined : topologyKeys(csiNode, driverName);
  return node === undefined || keys === undefined ? undefined : segmentsOn(node.metadata.labels, keys);
}

/** The key of what is free for a class in a segment. */
export function pairKey(className: string, segments: Segments): string {
  return `pair:${className}:${textOf(segments)}`;
}

export function objectKey({ metadata }: KubeObject): string {
  return `object:${placeOf({ metadata })}`;
}

/** From the key of an object to its place in the cache; undefined for the key of a pair. */
export function placeIn(key: string): string | undefined {
  return key.startsWith("object:") ? key.slice("object:".length) : undefined;
}

function placeOf({ metadata: { namespace = "", name = "" } }: KubeObject): string {
  return `${namespace}/${name}`;
}

/** What an object tells of; undefined if it can be matched to no segment: whatever wrote it, we did not. */
export function pairOf({ storageClassName, nodeTopology }: CSIStorageCapacity): string | undefined {
  if (nodeTopology === undefined || (nodeTopology.matchExpressions ?? []).length > 0) return undefined;
  return pairKey(storageClassName, nodeTopology.matchLabels ?? {});
}

export function isOurs({ metadata: { labels = {} } }: KubeObject, driverName: string): boolean {
  return labels[driverNameLabel] === driverName && labels[managedByLabel] === managedBy;
}

/** A volume without a consumer is placed without a look at capacity, so that nobody reads what is told of such a class. */
export function isTold(
  { provisioner, volumeBindingMode = "Immediate" }: StorageClass,
  { driverName, forImmediateBinding }: { readonly driverName: string; readonly forImmediateBinding: boolean },
): boolean {
  return provisioner === driverName && (forImmediateBinding || volumeBindingMode !== "Immediate");
}

/** Where a volume is, as far as that can be said by segments. */
export function segmentsOfVolume(affinity: VolumeNodeAffinity | undefined): readonly Segments[] {
  const terms = affinity?.required?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchExpressions = [], matchFields = [] }) => {
    const isPlain = matchExpressions.every(({ operator, values = [] }) => operator === "In" && values.length === 1);
    if (!isPlain || matchFields.length > 0) return [];
    return [Object.fromEntries(matchExpressions.map(({ key, values = [] }) => [key, values[0] ?? ""]))];
  });
}
