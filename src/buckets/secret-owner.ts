import { apiVersionOf, type KubeObject, type OwnerReference, type Resource, type Stored } from "../api/object.ts";

/** Whose it is, for when its owner reference was stripped off. It says what may be removed, and never what may be used. */
const madeForAnnotation = "cosi.io/made-for";

/** The one owner that controls it. Not blocking: that would need a right to set finalizers of the owner. */
function controlledBy(resource: Resource, { metadata }: Stored<KubeObject>): OwnerReference {
  const { name, uid } = metadata;
  const owner = { apiVersion: apiVersionOf(resource), kind: resource.kind, name, uid };
  return { ...owner, controller: true, blockOwnerDeletion: false };
}

/** By uid: whoever has the name today may be another one. */
export function isControlledBy(owned: KubeObject, { kind }: Resource, uid: string): boolean {
  const owners = owned.metadata.ownerReferences ?? [];
  return owners.some((owner) => owner.controller === true && owner.kind === kind && owner.uid === uid);
}

/** In the metadata of what is made for this owner. */
export function madeFor(resource: Resource, owner: Stored<KubeObject>) {
  return { annotations: { [madeForAnnotation]: owner.metadata.uid }, ownerReferences: [controlledBy(resource, owner)] };
}

/** Whether it goes with this owner: `kubectl delete --cascade=orphan` leaves it without one. */
export function wasMadeFor(owned: KubeObject, resource: Resource, uid: string): boolean {
  const { annotations, ownerReferences = [] } = owned.metadata;
  return (
    isControlledBy(owned, resource, uid) || (ownerReferences.length === 0 && annotations?.[madeForAnnotation] === uid)
  );
}
