/**
 * What every object of Kubernetes has. Fields that we do not name survive a read and a write, because nothing drops them;
 * but numbers beyond 2^53 are rounded by JSON in JavaScript, so objects of others are patched, never updated.
 */
export interface Metadata {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Metadata;
}

/** An object as the server has stored it: it has a name, an identity and a version. */
export type Stored<T extends KubeObject> = T & {
  readonly metadata: Metadata & { readonly name: string; readonly uid: string; readonly resourceVersion: string };
};

/** Where a kind of object lives on the server. The type of its objects travels along and exists at compile time only. */
export interface Resource<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly objects?: T;
}

export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** As manifests and references write it. */
export function apiVersionOf({ group, version }: Pick<Resource, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}
