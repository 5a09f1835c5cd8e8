/** The part of OpenAPI v3 that a kube-apiserver uses to describe objects. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-group-version-kind"?: readonly GroupVersionKind[];
  /** Prose, and what narrows a type. */
  readonly [keyword: string]: unknown;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What the server says about one version of one API group. */
export interface Document {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Operation {
  readonly "x-kubernetes-group-version-kind"?: GroupVersionKind;
}

/** By the path below `/openapi/v3/`. */
export type Documents = ReadonlyMap<string, Document>;

export function documentPath(group: string, version: string): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

export function isSame(one: GroupVersionKind, other: GroupVersionKind): boolean {
  return one.group === other.group && one.version === other.version && one.kind === other.kind;
}
