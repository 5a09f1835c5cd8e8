import { inspect } from "node:util";
import type { Catalogue } from "./catalogue.ts";
import { known } from "./known.ts";
import type { Document, Schema } from "./schema.ts";
import { type Named, type Type, unknown } from "./type.ts";

/** What remains of a type that we use in part: these properties, or nothing that we know. */
export type Cut = readonly string[] | "unknown";

/** One pass over one document. */
export interface Reading {
  readonly document: Document;
  readonly catalogue: Catalogue;
  /** The file for each package of upstream types, such as `io.k8s.api.core.v1`. */
  readonly files: ReadonlyMap<string, string>;
  /** By file and type: `core.ts PodSpec`. */
  readonly cuts: Readonly<Record<string, Cut>>;
  /** The components that something refers to; it grows while it is read. */
  readonly met: Set<string>;
}

/** Where in the document we are, and what an object without a name would be called here. */
export interface Place {
  readonly path: string;
  readonly file: string;
  readonly name: string;
}

export function placeOf(component: string, { files }: Reading): Place {
  const name = component.slice(component.lastIndexOf(".") + 1);
  const file = files.get(packageOf(component));
  if (file !== undefined) return { path: component, file, name };
  throw new Error(`${component} has no place: name its kind in generate/wanted.ts or its type in generate/known.ts`);
}

export function packageOf(component: string): string {
  return component.slice(0, component.lastIndexOf("."));
}

export function cutAt({ file, name }: Place, { cuts }: Reading): Cut | undefined {
  return cuts[`${file} ${name}`];
}

export function reference($ref: string, reading: Reading): Type {
  const component = $ref.replace("#/components/schemas/", "");
  const type = known[component];
  if (type !== undefined) return type;
  const at = placeOf(component, reading);
  if (cutAt(at, reading) === "unknown") return unknown;
  reading.met.add(component);
  return { is: "named", file: at.file, name: at.name } satisfies Named;
}

export function unreadable(schema: Schema | undefined, path: string): Error {
  const shown = inspect({ ...schema, description: undefined }, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
  return new Error(`${path}: the generator cannot read ${shown}`);
}
