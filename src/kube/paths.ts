import type { Resource } from "../api/object.ts";

export type Query = Readonly<Record<string, string>>;

interface Place {
  readonly namespace?: string;
  readonly name?: string;
}

/** The path of a collection, an object or a subresource. */
export function pathOf(
  resource: Resource,
  { namespace, name }: Place,
  subresource?: string,
  query: Query = {},
): string {
  if (resource.namespaced && name !== undefined && namespace === undefined) {
    throw new Error(`${resource.plural}/${name} is namespaced, and no namespace was given`);
  }
  const root = resource.group === "" ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const inside = resource.namespaced && namespace !== undefined ? `/namespaces/${segment(namespace)}` : "";
  const object = name === undefined ? "" : `/${segment(name)}`;
  const below = subresource === undefined ? "" : `/${subresource}`;
  const words = new URLSearchParams(query).toString();
  return `${root}${inside}/${resource.plural}${object}${below}${words === "" ? "" : `?${words}`}`;
}

/** A name from a tenant must not be able to climb to another path. */
function segment(name: string): string {
  if (name === "" || name === "." || name === "..") throw new Error(`"${name}" is no name of an object`);
  return encodeURIComponent(name);
}
