import { apiVersionOf, type KubeObject, type OwnerReference, type Resource, type Stored } from "../api/object.ts";

/** The one owner that controls it. Not blocking: that would need a right to set finalizers of the owner. */
export function controlledBy(resource: Resource, { metadata }: Stored<KubeObject>): OwnerReference {
  const { name, uid } = metadata;
  const owner = { apiVersion: apiVersionOf(resource), kind: resource.kind, name, uid };
  return { ...owner, controller: true, blockOwnerDeletion: false };
}

/** By uid: whoever has the name today may be another one. */
export function isControlledBy(owned: KubeObject, { kind }: Resource, uid: string): boolean {
  const owners = owned.metadata.ownerReferences ?? [];
  return owners.some((owner) => owner.controller === true && owner.kind === kind && owner.uid === uid);
}
