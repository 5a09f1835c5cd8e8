import { objectMeta } from "./known.ts";
import { placeOf, type Reading, unreadable } from "./reading.ts";
import type { Schema } from "./schema.ts";
import type { Property } from "./type.ts";
import { propertiesOf } from "./type-of.ts";

/** Declares every component that was met, and those that they refer to. */
export function declareMet(reading: Reading): void {
  for (const component of reading.met) declareComponent(component, reading);
}

function declareComponent(component: string, reading: Reading): void {
  const schema = reading.document.components.schemas[component];
  if (schema?.properties === undefined) throw unreadable(schema, component);
  const at = placeOf(component, reading);
  const root = isRoot(schema);
  const properties = propertiesOf(schema, at, reading);
  reading.catalogue.declare({
    file: at.file,
    name: at.name,
    root,
    properties: root ? ownProperties(properties) : properties,
  });
}

function isRoot(schema: Schema): boolean {
  const { metadata } = schema.properties ?? {};
  const $ref = metadata?.$ref ?? metadata?.allOf?.[0]?.$ref ?? "";
  return schema["x-kubernetes-group-version-kind"] !== undefined && $ref.endsWith(`/${objectMeta}`);
}

/** The rest is in KubeObject. Whoever makes an object does not say its status. */
function ownProperties(properties: readonly Property[]): readonly Property[] {
  return properties
    .filter(({ name }) => !["apiVersion", "kind", "metadata"].includes(name))
    .map((property) => (property.name === "status" ? { ...property, optional: true } : property));
}
