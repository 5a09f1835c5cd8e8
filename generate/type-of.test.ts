import { equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { catalogueOf } from "./catalogue.ts";
import { crates, object, string, to } from "./example.ts";
import type { Place, Reading } from "./reading.ts";
import type { Schema } from "./schema.ts";
import { printed } from "./type.ts";
import { typeOf } from "./type-of.ts";

const at: Place = { path: "Crate.spec", file: "example.ts", name: "CrateSpec" };

function reading(): Reading {
  const files = new Map([["dev.example.v1", "example.ts"]]);
  return {
    document: crates({}),
    catalogue: catalogueOf(),
    files,
    cuts: { "example.ts Odd": "unknown" },
    met: new Set(),
  };
}

const quantity = to("io.k8s.apimachinery.pkg.api.resource.Quantity");
const fruit: Schema = { type: "string", enum: ["Apple", "Pear"] };

const cases: readonly (readonly [says: string, schema: Schema, type: string])[] = [
  ["a string is a string, whatever narrows it", { ...string, pattern: "^a", maxLength: 3 }, "string"],
  ["an integer is a number", { type: "integer", format: "int64", minimum: 0 }, "number"],
  ["a reference is the last word of its name", to("dev.example.v1.Lid"), "Lid"],
  [
    "a reference wrapped to carry a default is the reference",
    { default: {}, allOf: [to("dev.example.v1.Lid")] },
    "Lid",
  ],
  ["a reference to a type that is cut off is unknown", to("dev.example.v1.Odd"), "unknown"],
  ["a time is a string", to("io.k8s.apimachinery.pkg.apis.meta.v1.Time"), "string"],
  ["raw JSON is unknown", to("io.k8s.apimachinery.pkg.runtime.RawExtension"), "unknown"],
  ["metadata is ours", { allOf: [to("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")] }, "Metadata"],
  ["a list cannot be changed", { type: "array", items: string }, "readonly string[]"],
  ["a list of lists", { type: "array", items: { type: "array", items: string } }, "readonly (readonly string[])[]"],
  ["an enum is a choice", fruit, '"Apple" | "Pear"'],
  ["a list of an enum", { type: "array", items: fruit }, 'readonly ("Apple" | "Pear")[]'],
  ["a map", { type: "object", additionalProperties: quantity }, "Readonly<Record<string, Quantity>>"],
  ["a map of anything", { type: "object", additionalProperties: true }, "Readonly<Record<string, unknown>>"],
  [
    "an object that keeps unknown fields",
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    "Readonly<Record<string, unknown>>",
  ],
  ["a value that keeps unknown fields may be anything", { "x-kubernetes-preserve-unknown-fields": true }, "unknown"],
  ["int-or-string in a CRD", { ...string, "x-kubernetes-int-or-string": true }, "IntOrString"],
  ["what may be null says so", { ...string, nullable: true }, "string | null"],
  ["an object in a CRD gets a name after the way to it", object({ a: string }), "CrateSpec"],
  ["what CEL rules restrict stays what it is", { ...string, "x-kubernetes-validations": [] }, "string"],
];

for (const [says, schema, type] of cases) {
  test(says, () => equal(printed(typeOf(schema, at, reading())), type));
}

const riddles: readonly (readonly [says: string, schema: Schema, path: RegExp])[] = [
  ["a schema that says nothing", {}, /^Error: Crate\.spec: the generator cannot read/],
  ["a choice of types", { oneOf: [string, { type: "integer" }] }, /^Error: Crate\.spec: /],
  ["two wrapped references", { allOf: [to("a.A"), to("b.B")] }, /^Error: Crate\.spec: /],
  ["a list of nobody knows what", object({ lids: { type: "array" } }), /^Error: Crate\.spec\.lids: /],
  ["a riddle in a list", { type: "array", items: {} }, /^Error: Crate\.spec\[\]: /],
  ["a riddle in a map", { type: "object", additionalProperties: {} }, /^Error: Crate\.spec\{\}: /],
  ["properties beside a map", { ...object({ a: string }), additionalProperties: string }, /^Error: Crate\.spec: /],
  ["a word we never heard", { ...string, discriminator: {} }, /^Error: Crate\.spec: .*discriminator/],
  ["a type of a package nobody asked for", to("dev.stranger.v1.Lid"), /dev\.stranger\.v1\.Lid has no place/],
];

for (const [says, schema, path] of riddles) {
  test(`${says} is an error that names the place`, () => throws(() => typeOf(schema, at, reading()), path));
}
