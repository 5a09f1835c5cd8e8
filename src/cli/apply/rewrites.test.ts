import { deepEqual, equal, match, throws } from "node:assert/strict";
import { test } from "node:test";
import { isFragment, wantedIn } from "./documents.ts";
import { rewrites } from "./rewrites.ts";

const request = "apiVersion: v1alpha1\nkind: StorageTransferRequest\nmetadata: {name: r}\nspec: {}";

test("our kinds get their group; a kind of others keeps what it has", () => {
  equal(wantedIn(request, "f")[0]?.object.apiVersion, "transfer.portway.dev/v1alpha1");
  const other = wantedIn(request.replace("StorageTransferRequest", "Bucket"), "f")[0];
  deepEqual([other?.object.apiVersion, other?.notes], ["v1alpha1", []]);
});

test("fields are called by their names", () => {
  const [claim] = wantedIn("apiversion: v1\nkind: ConfigMap\nMetadata: {name: c, Namespace: n}", "f");
  deepEqual(claim?.object, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "n" } });
  equal(claim?.notes.length, 3);
});

test("a right name beside a wrong one is left alone", () => {
  const [claim] = wantedIn("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, Namespace: n, namespace: m}", "f");
  deepEqual([claim?.object.metadata.namespace, claim?.notes], ["m", []]);
});

test("tabs indent by four, and only where they indent", () => {
  const [claim] = wantedIn('apiVersion: v1\nkind: A\nmetadata:\n    name: c\n\tannotations:\n\t\tx: "a\tb"', "f");
  deepEqual(claim?.object.metadata, { name: "c", annotations: { x: "a\tb" } });
  match(claim?.notes[0] ?? "", /^tabs /);
});

test("lists are taken apart, empty documents passed over", () => {
  const list = `---\n---\napiVersion: v1\nkind: List\nitems:\n- ${request.replaceAll("\n", "\n  ")}`;
  const [only, ...more] = wantedIn(list, "f");
  deepEqual([only?.place, more.length], ["item 1 of document 1 of f", 0]);
  equal(only?.object.apiVersion, "transfer.portway.dev/v1alpha1");
});

test("every rewrite is a sentence that says why, and what is right already is not touched", () => {
  for (const { says } of rewrites) match(says, /^\S.* becomes .*: .{10}/);
  deepEqual(wantedIn(request.replace("v1alpha1", "transfer.portway.dev/v1alpha1"), "f")[0]?.notes, []);
});

test("an empty field of a form that somebody fills in is left out, of our buckets only", () => {
  const form = (apiVersion: string) =>
    `apiVersion: ${apiVersion}\nkind: BucketClass\nmetadata: {name: c}\nprovisioner:\nsecretRef:\n  name:\n  namespace:\nparameters: {}`;
  const [ours] = wantedIn(form("cosi.io/v1alpha1"), "f");
  const { apiVersion: _, ...left } = (ours?.object ?? {}) as Record<string, unknown>;
  deepEqual(left, { kind: "BucketClass", metadata: { name: "c" }, parameters: {} });
  match(ours?.notes[0] ?? "", /^a field without a value/);
  deepEqual(wantedIn(form("example.com/v1"), "f")[0]?.notes, []);
});

test("a fragment is what has metadata alone", () => {
  equal(isFragment({ apiVersion: "v1", kind: "A", metadata: { name: "x" } }), true);
  const whole = { apiVersion: "v1", kind: "A", metadata: { name: "x" }, data: {} };
  equal(isFragment(whole), false);
});

for (const [text, says] of [
  ["a: [", /f is no YAML/],
  ["# nothing", /no object in f/],
  ["- 1", /document 1 of f is no object/],
  ["kind: A\nmetadata: {}", /document 1 of f has no apiVersion and no metadata\.name/],
] as const) {
  test(`${JSON.stringify(text)} is refused with its place`, () => {
    throws(() => wantedIn(text, "f"), says);
  });
}
