import { nodes, persistentVolumeClaims, persistentVolumes, pods, secrets } from "../../../src/api/gen/core.ts";
import { volumeSnapshotContents, volumeSnapshots } from "../../../src/api/gen/snapshot.ts";
import { csiNodes, storageClasses, volumeAttachments } from "../../../src/api/gen/storage.ts";
import type { Resource } from "../../../src/api/object.ts";

const kinds: readonly Resource[] = [
  persistentVolumeClaims,
  persistentVolumes,
  secrets,
  pods,
  nodes,
  storageClasses,
  csiNodes,
  volumeAttachments,
  volumeSnapshots,
  volumeSnapshotContents,
];

export function resourceOf(kind: string): Resource {
  const found = kinds.find((resource) => resource.kind === kind);
  if (found === undefined) throw new Error(`no case has a ${kind} yet`);
  return found;
}
