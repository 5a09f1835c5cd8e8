import { deepEqual, throws } from "node:assert/strict";
import { test } from "node:test";
import { answerTo, Unreadable } from "./answer.ts";

const apiVersion = "admission.k8s.io/v1";
const object = { metadata: { name: "data", annotations: { transferRequest: "b/data" } }, spec: {} };

function question(request: object): string {
  return JSON.stringify({ apiVersion, kind: "AdmissionReview", request });
}

test("the answer carries the question's uid and the patch as the API server wants it", () => {
  const resource = { group: "", version: "v1", resource: "persistentvolumeclaims" };
  const text = answerTo(question({ uid: "u-1", operation: "CREATE", resource, object, oldObject: null }));
  const { response, ...rest } = JSON.parse(text) as { response: { uid: string; patch: string } };
  deepEqual(rest, { apiVersion, kind: "AdmissionReview" });
  const { patch, ...words } = response;
  deepEqual(words, { uid: "u-1", allowed: true, patchType: "JSONPatch" });
  deepEqual(JSON.parse(Buffer.from(patch, "base64").toString()), [
    { op: "add", path: "/metadata/finalizers", value: ["transfer.portway.dev/hold"] },
  ]);
});

test("where there is nothing to do, there is no patch", () => {
  const resource = { group: "", resource: "pods" };
  const text = answerTo(question({ uid: "u-2", operation: "CREATE", resource, object }));
  deepEqual((JSON.parse(text) as { response: object }).response, { uid: "u-2", allowed: true });
});

const unreadable: readonly (readonly [says: string, text: string])[] = [
  ["no JSON", "{"],
  ["nothing", ""],
  ["null", "null"],
  ["a list", "[]"],
  ["an older version", JSON.stringify({ apiVersion: "admission.k8s.io/v1beta1", request: { uid: "1" } })],
  ["a review without a request", JSON.stringify({ apiVersion })],
  ["a request of null", JSON.stringify({ apiVersion, request: null })],
  ["a request without a uid", question({ operation: "CREATE", resource: { resource: "pods" } })],
  ["a request about nothing", question({ uid: "1", operation: "CREATE" })],
];

for (const [says, text] of unreadable) {
  test(`${says} is not answered`, () => throws(() => answerTo(text), Unreadable));
}
