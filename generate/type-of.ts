import { isUnderstood } from "./keywords.ts";
import { intOrString } from "./known.ts";
import { propertyPlace, singularPlace } from "./names.ts";
import { cutAt, type Place, type Reading, reference, unreadable } from "./reading.ts";
import type { Schema } from "./schema.ts";
import { type Property, type Type, text, unknown } from "./type.ts";

type Read = (schema: Schema, at: Place, reading: Reading) => Type;

/** The first row that holds says what a schema is. A schema for which none holds is an error, never a guess. */
const rows: readonly (readonly [holds: (schema: Schema) => boolean, read: Read])[] = [
  [(s) => s.$ref !== undefined, (s, _, reading) => reference(s.$ref ?? "", reading)],
  // A description or a default cannot stand beside a reference, so Kubernetes wraps the reference.
  [(s) => s.type === undefined && s.allOf?.length === 1, (s, at, reading) => typeOf(s.allOf?.[0] ?? {}, at, reading)],
  [(s) => s["x-kubernetes-int-or-string"] === true || s.format === "int-or-string", () => intOrString],
  [(s) => s.enum !== undefined, (s) => ({ is: "choice", of: s.enum ?? [] })],
  [(s) => s.type === "string", () => text],
  [(s) => s.type === "integer" || s.type === "number", () => ({ is: "plain", name: "number" })],
  [(s) => s.type === "boolean", () => ({ is: "plain", name: "boolean" })],
  [(s) => s.type === "array" && s.items !== undefined, list],
  [(s) => s.type === "object" && s.properties === undefined, map],
  [(s) => s.type === "object" && s.additionalProperties === undefined, inlineObject],
  [(s) => s.type === undefined && s["x-kubernetes-preserve-unknown-fields"] === true, () => unknown],
];

export function typeOf(schema: Schema, at: Place, reading: Reading): Type {
  const row = rows.find(([holds]) => holds(schema));
  if (row === undefined || !Object.keys(schema).every(isUnderstood)) throw unreadable(schema, at.path);
  const type = row[1](schema, at, reading);
  return schema.nullable === true ? { is: "nullable", of: type } : type;
}

export function propertiesOf(schema: Schema, at: Place, reading: Reading): readonly Property[] {
  const { properties = {}, required = [] } = schema;
  const cut = cutAt(at, reading);
  const kept = cut === undefined || cut === "unknown" ? Object.keys(properties) : cut;
  return kept.toSorted().map((name) => {
    const property = properties[name];
    if (property === undefined) throw new Error(`${at.path} has no ${name}, which generate/wanted.ts keeps`);
    const type = typeOf(property, propertyPlace(at, name), reading);
    return { name, optional: !required.includes(name), type };
  });
}

function inlineObject(schema: Schema, at: Place, reading: Reading): Type {
  if (cutAt(at, reading) === "unknown") return unknown;
  const properties = propertiesOf(schema, at, reading);
  return reading.catalogue.adopt({ file: at.file, name: at.name, root: false, properties });
}

function list({ items = {} }: Schema, at: Place, reading: Reading): Type {
  return { is: "list", of: typeOf(items, singularPlace(at, "[]"), reading) };
}

function map({ additionalProperties: value }: Schema, at: Place, reading: Reading): Type {
  return { is: "map", of: typeof value === "object" ? typeOf(value, singularPlace(at, "{}"), reading) : unknown };
}
