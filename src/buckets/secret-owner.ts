import type { KubeObject, OwnerReference, Resource, Stored } from "../api/object.ts";

/** The one owner that controls it. Not blocking: that would need a right to set finalizers of the owner. */
export function controlledBy({ group, version, kind }: Resource, { metadata }: Stored<KubeObject>): OwnerReference {
  const apiVersion = `${group}/${version}`;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: false };
}

/** By uid: whoever has the name today may be another one. */
export function isControlledBy(owned: KubeObject, { kind }: Resource, uid: string): boolean {
  const owners = owned.metadata.ownerReferences ?? [];
  return owners.some((owner) => owner.controller === true && owner.kind === kind && owner.uid === uid);
}
