import { deepEqual, doesNotMatch, match, throws } from "node:assert/strict";
import { test } from "node:test";
import { condition, crates, object, string, to, wantedCrates } from "./example.ts";
import { generate, type Wanted } from "./generate.ts";
import { metaPackage } from "./known.ts";
import { type Document, documentPath } from "./schema.ts";

function textOf(document: Document, wanted: Wanted = wantedCrates): string {
  return generate(new Map([[documentPath("example.dev", "v1"), document]]), wanted).get("example.ts") ?? "no such file";
}

const lid = { "dev.example.v1.Lid": object({ size: string, lid: to("dev.example.v1.Lid") }, ["size"]) };

test("a kind extends KubeObject and has only what KubeObject has not", () => {
  const text = textOf(crates({ spec: string }, { required: ["spec"] }));
  match(text, /export interface Crate extends KubeObject \{\n {2}readonly spec: string;\n\}/);
  match(text, /import type { KubeObject, Resource } from "..\/object.ts";/);
});

test("a field with a default is optional unless the server requires it", () => {
  match(
    textOf(crates({ lid: { default: {}, allOf: [to("dev.example.v1.Lid")] } }, { components: lid })),
    /lid\?: Lid;/,
  );
});

test("the status of a kind is optional even if the server requires it", () => {
  match(textOf(crates({ status: string }, { required: ["status"] })), /status\?: string;/);
});

test("a type may refer to itself", () => {
  const text = textOf(crates({ lid: to("dev.example.v1.Lid") }, { components: lid }));
  match(text, /export interface Lid \{\n {2}readonly lid\?: Lid;\n {2}readonly size: string;\n\}/);
});

test("descriptions are not copied", () => {
  doesNotMatch(textOf(crates({ spec: { ...string, description: "Prose of others." } })), /Prose/);
});

test("objects of a CRD with the same properties are one type", () => {
  const text = textOf(
    crates({
      spec: object({ lids: { type: "array", items: object({ a: string }) } }),
      status: object({ lid: object({ a: string }) }),
    }),
  );
  match(text, /export interface CrateStatus \{\n {2}readonly lid\?: CrateSpecLid;/);
});

test("what a CRD repeats of a shared type is the shared type, even if the CRD narrows it", () => {
  const repeated = object({ type: string, status: { type: "string", enum: ["True", "False"] } }, ["type", "status"]);
  const document = crates(
    { status: object({ conditions: { type: "array", items: repeated } }) },
    { components: condition },
  );
  const text = textOf(document, { ...wantedCrates, shared: [`${metaPackage}.Condition`] });
  match(text, /conditions\?: readonly Condition\[\]/);
  match(text, /import type { Condition } from "\.\/meta\.ts";/);
});

test("a shared type that no document has is named", () => {
  throws(() => textOf(crates({}), { ...wantedCrates, shared: ["a.b.C"] }), /a\.b\.C is in none of the documents/);
});

test("of a type that is cut only the named properties stay", () => {
  const document = crates({ spec: object({ a: string, b: string }) });
  doesNotMatch(textOf(document, { ...wantedCrates, cuts: { "example.ts CrateSpec": ["a"] } }), /readonly b/);
});

test("a cut that keeps what is not there is an error", () => {
  const cut = { ...wantedCrates, cuts: { "example.ts CrateSpec": ["gone"] } };
  throws(() => textOf(crates({ spec: object({ a: string }) }), cut), /Crate\.spec has no gone/);
});

const bothVersions: Wanted = {
  ...wantedCrates,
  kinds: [{ group: "example.dev", versions: ["v1", "v1beta1"], kinds: ["Crate"] }],
};

function bothOf(v1: Document, v1beta1: Document): string {
  const documents = new Map([
    ["apis/example.dev/v1", v1],
    ["apis/example.dev/v1beta1", v1beta1],
  ]);
  return generate(documents, bothVersions).get("example.ts") ?? "no such file";
}

test("two versions with the same fields are one type and two resources", () => {
  const text = bothOf(
    crates({ spec: object({ a: string }) }),
    crates({ spec: object({ a: string }) }, { version: "v1beta1" }),
  );
  deepEqual(text.match(/export (const|interface) \w+/g), [
    "export const crates",
    "export const cratesV1beta1",
    "export interface Crate",
    "export interface CrateSpec",
  ]);
});

test("two versions with different fields are refused", () => {
  const other = crates({ spec: object({ b: string }) }, { version: "v1beta1" });
  throws(() => bothOf(crates({ spec: object({ a: string }) }), other), /two different types would be CrateSpec/);
});

test("the resource is where the server serves the kind", () => {
  match(
    textOf(crates({})),
    /crates: Resource<Crate> = \{"group":"example.dev","version":"v1","plural":"crates","kind":"Crate","namespaced":true\}/,
  );
});
