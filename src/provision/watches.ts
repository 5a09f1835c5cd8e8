import { nodes, persistentVolumeClaims, persistentVolumes } from "../api/gen/core.ts";
import { csiNodes, storageClasses, type VolumeAttachment, volumeAttachments } from "../api/gen/storage.ts";
import type { KubeObject, Metadata, Stored } from "../api/object.ts";
import { bare } from "../runtime/bare.ts";
import type { Sources, Wish } from "../runtime/sources.ts";
import { type DriverFacts, supportsTopology } from "./driver-facts.ts";
import { type Claim, keptClaim, keptVolume, namesIn } from "./kept.ts";
import { selectedNodeAnnotation } from "./names.ts";
import { placeOfSource, sourceOf, whoFills } from "./source.ts";

export type { Claim, Volume } from "./kept.ts";

/** Everything a provisioner looks at. Snapshots are not watched: vendors' roles do not allow it. */
export function provisionWatches(sources: Sources, driver: DriverFacts) {
  const topology = supportsTopology(driver);
  const attaches = driver.capabilities.has("PUBLISH_UNPUBLISH_VOLUME");
  return {
    claims: sources.watch(persistentVolumeClaims, {
      project: (claim) => keptClaim(claim, driver.name),
      indexes: {
        uid: ({ metadata }) => [metadata.uid],
        // One that has its volume does not care for its class any more.
        class: ({ spec: { volumeName = "", storageClassName } = {} }) =>
          volumeName !== "" || storageClassName === undefined ? [] : [storageClassName],
        source: sourcesNeededBy,
      },
    }).cache,
    volumes: sources.watch(persistentVolumes, { project: (volume) => keptVolume(volume, driver.name) }).cache,
    classes: sources.watch(storageClasses, { project: bare }).cache,
    // A driver that attaches nothing needs no right to see it.
    attachments: attaches ? sources.watch(volumeAttachments, attached).cache : undefined,
    nodes: topology ? sources.watch(nodes, { project: labelled }).cache : undefined,
    csiNodes: topology ? sources.watch(csiNodes, { project: bare }).cache : undefined,
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

export function selectedNode({ annotations = {} }: Metadata): string {
  return annotations[selectedNodeAnnotation] ?? "";
}

function labelled({ metadata }: Stored<KubeObject>): Stored<KubeObject> {
  return { metadata: { ...namesIn(metadata), labels: metadata.labels ?? {} } };
}
