import {
  nodes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../api/gen/core.ts";
import { csiNodes, storageClasses, type VolumeAttachment, volumeAttachments } from "../api/gen/storage.ts";
import type { KubeObject, Metadata, Stored } from "../api/object.ts";
import type { Sources, Wish } from "../runtime/sources.ts";
import { type DriverFacts, supportsTopology } from "./driver-facts.ts";
import { cloneFinalizer, selectedNodeAnnotation } from "./names.ts";
import { isVolumeOf, provisionerOf } from "./ownership.ts";
import { placeOfSource, sourceOf, whoFills } from "./source.ts";

export type Claim = Stored<PersistentVolumeClaim>;
export type Volume = Stored<PersistentVolume>;

/**
 * Everything a provisioner looks at. What is not its driver's is kept as a name and nothing else: a cluster has more claims of
 * others than of any one driver. Snapshots are not watched: vendors' roles do not allow it.
 */
export function provisionWatches(sources: Sources, driver: DriverFacts) {
  const topology = supportsTopology(driver);
  const attaches = driver.capabilities.has("PUBLISH_UNPUBLISH_VOLUME");
  return {
    claims: sources.watch(persistentVolumeClaims, {
      project: (claim): Claim => (concernsClaim(claim, driver.name) ? kept(claim) : nameOnly(claim)),
      indexes: {
        uid: ({ metadata }) => [metadata.uid],
        class: ({ spec }) => (spec?.storageClassName === undefined ? [] : [spec.storageClassName]),
        source: sourcesNeededBy,
        node: ({ metadata }) => (metadata.annotations === undefined ? [] : [selectedNode(metadata)]),
      },
    }).cache,
    volumes: sources.watch(persistentVolumes, {
      project: (volume): Volume => (isVolumeOf(volume, driver.name) ? kept(volume) : nameOnly(volume)),
      indexes: { claim: ({ spec }) => (spec?.claimRef?.uid === undefined ? [] : [spec.claimRef.uid]) },
    }).cache,
    classes: sources.watch(storageClasses, { project: kept }).cache,
    // A driver that attaches nothing needs no right to see it.
    attachments: attaches ? sources.watch(volumeAttachments, attached).cache : undefined,
    nodes: topology ? sources.watch(nodes, { project: labelled }).cache : undefined,
    csiNodes: topology ? sources.watch(csiNodes, { project: kept }).cache : undefined,
  };
}

const attached: Wish<VolumeAttachment, Pick<Stored<VolumeAttachment>, "metadata" | "spec">> = {
  project: ({ metadata, spec }) => ({ metadata: namesIn(metadata), spec }),
  indexes: { volume: ({ spec }) => [spec.source.persistentVolumeName ?? ""] },
};

export type Watches = ReturnType<typeof provisionWatches>;

/** The source that a claim needs until it has its volume, as the key of whatever protects it. */
export function sourcesNeededBy(claim: Claim): readonly string[] {
  const source = sourceOf(claim);
  if (source === undefined || whoFills(source) !== "driver" || (claim.spec?.volumeName ?? "") !== "") return [];
  return [keyOfSource(source.kind, placeOfSource(source, claim))];
}

export function keyOfSource(kind: string, { namespace, name }: { readonly namespace: string; readonly name: string }) {
  return `${namespace}/${kind}/${name}`;
}

function concernsClaim(claim: Claim, driver: string): boolean {
  return provisionerOf(claim) === driver || claim.metadata.finalizers?.includes(cloneFinalizer) === true;
}

export function selectedNode({ annotations = {} }: Metadata): string {
  return annotations[selectedNodeAnnotation] ?? "";
}

type Names = Pick<Stored<KubeObject>["metadata"], "name" | "namespace" | "uid" | "resourceVersion">;

function namesIn({ name, namespace, uid, resourceVersion }: Names): Names {
  return namespace === undefined ? { name, uid, resourceVersion } : { name, namespace, uid, resourceVersion };
}

function nameOnly<T extends KubeObject>({ metadata }: Stored<T>): Stored<KubeObject> {
  return { metadata: namesIn(metadata) };
}

/** Who wrote which field is half of an object, and nothing that we ever ask. */
function kept<T extends KubeObject>(object: Stored<T>): Stored<T> {
  const { managedFields: _, ...metadata } = object.metadata as Stored<T>["metadata"] & {
    readonly managedFields?: unknown;
  };
  return { ...object, metadata };
}

function labelled({ metadata }: Stored<KubeObject>): Stored<KubeObject> {
  return { metadata: { ...namesIn(metadata), labels: metadata.labels ?? {} } };
}
