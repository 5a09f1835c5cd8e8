import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { placeIn } from "./asked.ts";
import { parsedIn } from "./parsed.ts";
import { isWrite, recordOf } from "./write-record.ts";

const places: readonly (readonly [path: string, place: object | undefined])[] = [
  ["/api/v1/persistentvolumes", { group: "", resource: "persistentvolumes" }],
  ["/api/v1/persistentvolumes/a%20b?x=1", { group: "", resource: "persistentvolumes", name: "a b" }],
  ["/api/v1/namespaces", { group: "", resource: "namespaces" }],
  ["/api/v1/namespaces/left", { group: "", resource: "namespaces", name: "left" }],
  ["/api/v1/namespaces/left/finalize", { group: "", resource: "namespaces", name: "left", subresource: "finalize" }],
  ["/api/v1/namespaces/left/pods", { group: "", resource: "pods", namespace: "left" }],
  [
    "/api/v1/namespaces/left/pods/one/status",
    { group: "", resource: "pods", namespace: "left", name: "one", subresource: "status" },
  ],
  [
    "/apis/cosi.io/v1alpha1/namespaces/left/buckets/one",
    { group: "cosi.io", resource: "buckets", namespace: "left", name: "one" },
  ],
  ["/apis/cosi.io/v1alpha1", undefined],
  ["/api/v1", undefined],
  ["/version", undefined],
];
for (const [path, place] of places) {
  test(`${path} is ${JSON.stringify(place) ?? "no object"}`, () => deepEqual(placeIn(path)?.place, place));
}

test("questions and tokens are no writes", () => {
  const of = (method: string, path: string) => isWrite(method, placeIn(path)?.place ?? { group: "", resource: "" });
  equal(of("POST", "/api/v1/namespaces/left/secrets"), true);
  equal(of("DELETE", "/api/v1/namespaces/left/secrets"), true);
  equal(of("GET", "/api/v1/namespaces/left/secrets"), false);
  equal(of("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"), false);
  equal(of("POST", "/apis/authentication.k8s.io/v1/tokenreviews"), false);
  equal(of("POST", "/api/v1/namespaces/left/serviceaccounts/robot/token"), false);
});

test("the Lease of an election is upkeep, and one that holds intents is not", () => {
  const path = "/apis/coordination.k8s.io/v1/namespaces/left/leases";
  const upkeep = (method: string, where: string, name: string) => {
    const body = Buffer.from(JSON.stringify({ metadata: { name } }));
    return recordOf({ method, path: where, userAgent: "x", contentType: "application/json", body }).upkeep;
  };
  deepEqual([upkeep("PUT", `${path}/driver`, "driver"), upkeep("POST", path, "driver")], [true, true]);
  const name = "driver-intents-0";
  deepEqual([upkeep("PUT", `${path}/${name}`, name), upkeep("POST", path, name)], [false, false]);
});

test("an apply in YAML is read as well as one in JSON", () => {
  const body = Buffer.from("metadata:\n  name: note\n  uid: abc\n");
  const request = { method: "PATCH", path: "/api/v1/namespaces/left/configmaps/note?dryRun=All", userAgent: "x", body };
  const record = recordOf({ ...request, contentType: "application/apply-patch+yaml" });
  deepEqual([record.verb, record.dryRun, record.preconditions], ["apply", true, { uid: "abc", tests: [] }]);
});

test("a delete of a whole collection names nobody, and its dry run stands in the body", () => {
  const body = Buffer.from('{"dryRun":["All"]}');
  const request = { method: "DELETE", path: "/api/v1/namespaces/left/configmaps", userAgent: "x", body };
  const { name, verb, dryRun, preconditions } = recordOf({ ...request, contentType: "application/json" });
  deepEqual([name, verb, dryRun, preconditions], [undefined, "delete", true, { tests: [] }]);
});

test("a body that cannot be read is none; a packed one can", () => {
  equal(parsedIn(Buffer.from("k8s\0"), "application/vnd.kubernetes.protobuf"), undefined);
  equal(parsedIn(Buffer.from("{"), "application/json"), undefined);
  deepEqual(parsedIn(gzipSync("[1]"), "application/json", "gzip"), [1]);
});
