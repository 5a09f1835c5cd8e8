import { defined } from "../api/defined.ts";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
} from "../api/gen/core.ts";
import type { Stored } from "../api/object.ts";
import { isSameSize } from "../api/quantity.ts";
import type { ClaimShape, Journal } from "../api/transfer/journal.ts";
import { allowAnnotation, idAnnotation } from "../api/transfer/names.ts";

/** Labels say what an object is for in its own namespace; only those that describe the data itself travel along. */
const travellingLabels: ReadonlySet<string> = new Set([
  "app.kubernetes.io/name",
  "app.kubernetes.io/component",
  "app.kubernetes.io/part-of",
  "app.kubernetes.io/version",
]);

/** What is written down of a claim before it is given up. */
export function shapeOf(claim: Stored<PersistentVolumeClaim>, volume: PersistentVolume): ClaimShape {
  const { accessModes = [], resources, volumeMode, volumeAttributesClassName } = claim.spec ?? {};
  const { capacity, storageClassName } = volume.spec ?? {};
  return {
    accessModes,
    storage: String(resources?.requests?.["storage"] ?? capacity?.["storage"]),
    // Written out even when it is empty: a claim without a class would get the default one.
    storageClassName: storageClassName ?? "",
    ...defined({ volumeMode, volumeAttributesClassName, labels: travelling(claim.metadata.labels ?? {}) }),
  };
}

export function travelling(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  const found = Object.entries(labels).filter(([name]) => travellingLabels.has(name));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/**
 * A claim for this volume and no other: it names the volume, so no provisioner makes it an empty one, and it carries the
 * transfer's id. Owners, annotations, selector and data source stay behind: they belong to the other namespace.
 */
export function claimFor(
  { id, claim }: Pick<Journal, "id" | "claim">,
  place: { readonly namespace: string; readonly name: string },
  volumeName: string,
): PersistentVolumeClaim {
  const { accessModes, storage, storageClassName, volumeMode, volumeAttributesClassName, labels } = claim;
  return {
    metadata: {
      namespace: place.namespace,
      name: place.name,
      annotations: { [idAnnotation]: id },
      ...(labels === undefined ? {} : { labels }),
    },
    spec: {
      accessModes,
      resources: { requests: { storage } },
      storageClassName,
      volumeName,
      ...(volumeMode === undefined ? {} : { volumeMode }),
      ...(volumeAttributesClassName === undefined ? {} : { volumeAttributesClassName }),
    },
  };
}

/** A claim that somebody planted under the name, even with our mark, is ours only when it is what we would have written. */
export function isClaimFor(
  found: Stored<PersistentVolumeClaim>,
  { id, claim }: Pick<Journal, "id" | "claim">,
  volumeName: string,
): boolean {
  const isMarked = found.metadata.annotations?.[idAnnotation] === id && found.spec?.volumeName === volumeName;
  return isMarked && isSameShape(found.spec ?? {}, claim);
}

function isSameShape(spec: PersistentVolumeClaimSpec, shape: ClaimShape): boolean {
  const { accessModes = [], storageClassName, volumeMode = "Filesystem" } = spec;
  return (
    isSameWish(spec, shape) &&
    storageClassName === shape.storageClassName &&
    volumeMode === (shape.volumeMode ?? "Filesystem") &&
    accessModes.join() === shape.accessModes.join()
  );
}

/** The two things that a bound claim may still ask for. */
function isSameWish({ resources, volumeAttributesClassName }: PersistentVolumeClaimSpec, shape: ClaimShape): boolean {
  return (
    isSameSize(resources?.requests?.["storage"], shape.storage) &&
    (volumeAttributesClassName ?? "") === (shape.volumeAttributesClassName ?? "")
  );
}

/** It is not what was written down of it any more, is about to change, or its owner keeps it out. */
export function hasChanged(
  { metadata, spec = {}, status = {} }: Stored<PersistentVolumeClaim>,
  shape: ClaimShape,
): boolean {
  return !isSameWish(spec, shape) || isBeingChanged(status) || metadata.annotations?.[allowAnnotation] === "false";
}

const changing: ReadonlySet<string> = new Set(["Resizing", "FileSystemResizePending", "ModifyingVolume"]);

export function isBeingChanged({
  allocatedResourceStatuses = {},
  modifyVolumeStatus,
  conditions = [],
}: PersistentVolumeClaimStatus): boolean {
  const isNamed = conditions.some(({ type, status }) => changing.has(type) && status === "True");
  return isNamed || modifyVolumeStatus !== undefined || Object.keys(allocatedResourceStatuses).length > 0;
}

/** What the target of a moved empty claim carries: for which request it was made, and from which claim. */
export function idOfMove(requestUID: string, sourceUID: string): string {
  return `${requestUID}/${sourceUID}`;
}
