import { deepEqual, equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { crates, wantedCrates } from "./example.ts";
import { isServed, rootsOf, type WantedKinds } from "./roots.ts";
import type { Document, Documents, GroupVersionKind } from "./schema.ts";

const { kinds } = wantedCrates;
const documents: Documents = new Map([["apis/example.dev/v1", crates({})]]);

/** A document of core/v1 with one kind, which is created at this path. */
function core(kind: string, path: string): Documents {
  const gvk: GroupVersionKind = { group: "", version: "v1", kind };
  const document: Document = {
    paths: { [path]: { post: { "x-kubernetes-group-version-kind": gvk } } },
    components: { schemas: { [`io.k8s.api.core.v1.${kind}`]: { "x-kubernetes-group-version-kind": [gvk] } } },
  };
  return new Map([["api/v1", document]]);
}

function wantedOfCore(kind: string): WantedKinds {
  return { group: "", versions: ["v1"], kinds: [kind] };
}

test("a kind below a namespace is namespaced", () => {
  const found = kinds.flatMap((wanted) => rootsOf(documents, wanted));
  deepEqual(
    found.map(({ plural, namespaced, file }) => ({ plural, namespaced, file })),
    [{ plural: "crates", namespaced: true, file: "example.ts" }],
  );
});

test("Namespace itself is not", () => {
  const [found] = rootsOf(core("Namespace", "/api/v1/namespaces"), wantedOfCore("Namespace"));
  deepEqual([found?.plural, found?.namespaced, found?.file], ["namespaces", false, "core.ts"]);
});

test("a kind that is only posted below another object has no place of its own", () => {
  const documents = core("Binding", "/api/v1/namespaces/{namespace}/pods/{name}/binding");
  equal(isServed(documents, [wantedOfCore("Binding")]), false);
});

test("a kind that is not served is named", () => {
  const wanted: WantedKinds = { group: "example.dev", versions: ["v1"], kinds: ["Crate", "Barrel"] };
  equal(isServed(documents, [wanted]), false);
  throws(() => rootsOf(documents, wanted), {
    name: "Failure",
    message: "the server does not serve Barrel of example.dev/v1",
  });
});

test("so is a kind whose whole group is not served", () => {
  throws(() => rootsOf(new Map(), wantedOfCore("Pod")), /the server does not serve Pod of v1/);
});
