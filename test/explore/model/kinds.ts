import { isDeepStrictEqual } from "node:util";
import {
  configMaps,
  namespaces,
  type PersistentVolumeClaimSpec,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from "../../../src/api/gen/core.ts";
import type { Resource } from "../../../src/api/object.ts";
import type { Cause } from "../../../src/kube/errors.ts";
import type { Saved } from "./server.ts";

/** What the server does to the objects of one kind and not to others. */
export interface Kind {
  readonly resource: Resource;
  /** There is a `/status`, and other writes do not touch the status. */
  readonly hasStatus: boolean;
  /** `metadata.generation` counts the changes of the spec; kinds of our own do. */
  readonly countsGenerations?: boolean;
  /** A delete answers the object, not a Status, when it is gone at once. */
  readonly answersDeleted?: boolean;
  /** What is filled in when it is made. */
  born?(object: Saved): Saved;
  /** What the server makes of it on every write. */
  shaped?(object: Saved): Saved;
  /** What is wrong with the change. */
  faults?(before: Saved, after: Saved): readonly Cause[];
  /** Held back by something else than `metadata.finalizers`. */
  isHeld?(object: Saved): boolean;
}

type Members = Readonly<Record<string, unknown>>;

export function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}

const claimFinalizer = "kubernetes.io/pvc-protection";
const volumeFinalizer = "kubernetes.io/pv-protection";

const claimKind: Kind = {
  resource: persistentVolumeClaims,
  hasStatus: true,
  answersDeleted: true,
  born: (claim) => ({
    ...withFinalizer(claim, claimFinalizer),
    spec: { volumeMode: "Filesystem", ...membersOf(claim["spec"]) },
    status: { phase: "Pending" },
  }),
  shaped(claim) {
    const status = membersOf(claim["status"]);
    if (!Array.isArray(status["conditions"])) return claim;
    const times = { lastProbeTime: null, lastTransitionTime: null };
    // Times of this kind's conditions are written even when there are none.
    const conditions = status["conditions"].map((condition) => ({ ...times, ...membersOf(condition) }));
    return { ...claim, status: { ...status, conditions } };
  },
  faults(before, after) {
    return isDeepStrictEqual(openedBy(before, after), after["spec"] ?? {}) ? [] : [immutable("spec", "spec")];
  },
};

/** The old spec with those members of the new one that may still be set. */
function openedBy(before: Saved, after: Saved): Members {
  const old = membersOf(before["spec"]) as PersistentVolumeClaimSpec;
  const { volumeName, storageClassName, resources } = membersOf(after["spec"]) as PersistentVolumeClaimSpec;
  const isBound = membersOf(before["status"])["phase"] === "Bound";
  return {
    ...old,
    ...((old.volumeName ?? "") === "" && volumeName !== undefined ? { volumeName } : {}),
    ...(old.storageClassName === undefined && storageClassName !== undefined ? { storageClassName } : {}),
    ...(isBound ? { resources } : {}),
  };
}

const volumeKind: Kind = {
  resource: persistentVolumes,
  hasStatus: true,
  answersDeleted: true,
  born: (volume) => ({
    ...withFinalizer(volume, volumeFinalizer),
    spec: { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem", ...membersOf(volume["spec"]) },
    status: { phase: "Pending", lastPhaseTransitionTime: volume.metadata.creationTimestamp },
  }),
  faults(before, after) {
    const [old, now] = [membersOf(before["spec"]), membersOf(after["spec"])];
    const isSame = isDeepStrictEqual(sourceOf(old, now), sourceOf(now, now));
    return [
      ...(isSame ? [] : [immutable("spec.persistentvolumesource", "spec.persistentvolumesource")]),
      ...(old["volumeMode"] === now["volumeMode"] ? [] : [immutable("spec.volumeMode", "field")]),
    ];
  },
};

/** Everything that is not one of these names where the data is. */
const notSource: ReadonlySet<string> = new Set([
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
]);

function sourceOf(spec: Members, next: Members): Members {
  const source = Object.fromEntries(Object.entries(spec).filter(([member]) => !notSource.has(member)));
  const csi = membersOf(source["csi"]);
  const nextCsi = membersOf(next["csi"]);
  if (csi["controllerExpandSecretRef"] !== undefined || nextCsi["controllerExpandSecretRef"] === undefined)
    return source;
  return { ...source, csi: { ...csi, controllerExpandSecretRef: nextCsi["controllerExpandSecretRef"] } };
}

const namespaceKind: Kind = {
  resource: namespaces,
  hasStatus: true,
  answersDeleted: true,
  born(namespace) {
    const labels = { ...namespace.metadata.labels, "kubernetes.io/metadata.name": namespace.metadata.name };
    return {
      ...namespace,
      metadata: { ...namespace.metadata, labels },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    };
  },
  isHeld: ({ spec }) => {
    const finalizers = membersOf(spec)["finalizers"];
    return Array.isArray(finalizers) && finalizers.length > 0;
  },
};

/** The server puts it last. */
function withFinalizer(object: Saved, finalizer: string): Saved {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}

function immutable(field: string, what: string): Cause {
  return { reason: "FieldValueForbidden", message: `Forbidden: ${what} is immutable after creation`, field };
}

/** A kind that is served as our own kinds are: by a definition with a status and nothing else. */
export function customKind(resource: Resource): Kind {
  return { resource, hasStatus: true, countsGenerations: true };
}

export const coreKinds: readonly Kind[] = [
  claimKind,
  volumeKind,
  namespaceKind,
  { resource: configMaps, hasStatus: false },
  { resource: pods, hasStatus: true, answersDeleted: true },
];
