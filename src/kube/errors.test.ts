import { equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import type { Trouble } from "../api/trouble.ts";
import { type Asked, type Cause, errorOf, errorOfLoss, troubles } from "./errors.ts";
import { ConnectionError } from "./transport/http.ts";

const reading: Asked = { verb: "get", resource: "pods", namespace: "team-a", name: "p", writes: false };
const writing: Asked = { ...reading, verb: "update", writes: true };
const patching: Asked = { ...writing, verb: "patch", patch: "json" };

interface Given {
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly Cause[];
  readonly kind?: string | null;
}

function answer(code: number, { reason = "Invalid", message = "no", causes, kind = "pods" }: Given = {}) {
  const status = { kind: "Status", reason, message, details: { kind: kind ?? undefined, causes } };
  return { status: code, headers: {}, text: JSON.stringify(status) };
}

const uid = [{ field: "metadata.uid", reason: "FieldValueInvalid" }];
const held = [{ field: ".spec.x", reason: "FieldManagerConflict" }];
const etcdLimit = "etcdserver: request is too large";
const vap = "ValidatingAdmissionPolicy 'portway-consent' with binding 'b' denied request: ask first";

const cases: readonly (readonly [says: string, asked: Asked, answer: ReturnType<typeof answer>, trouble: Trouble])[] = [
  ["a version that is too old", writing, answer(409, { reason: "Conflict" }), "conflict"],
  ["a name that is taken", writing, answer(409, { reason: "AlreadyExists" }), "conflict"],
  ["an object that is gone", writing, answer(404, { reason: "NotFound" }), "conflict"],
  ["a kind that is not served", reading, answer(404, { reason: "NotFound", kind: null }), "refused"],
  [
    "a field that another manager has applied",
    { ...writing, patch: "apply" },
    answer(409, { causes: held }),
    "refused",
  ],
  ["a list that expired", reading, answer(410, { reason: "Expired" }), "conflict"],
  ["a failed test of a JSON patch: 422 without causes", patching, answer(422), "conflict"],
  [
    "an invalid value in a JSON patch: 422 with causes",
    patching,
    answer(422, { causes: [{ field: "spec.x" }] }),
    "refused",
  ],
  ["422 without causes to anything but a JSON patch", writing, answer(422), "refused"],
  ["a merge patch that names another uid", { ...writing, patch: "merge" }, answer(422, { causes: uid }), "conflict"],
  ["a right we lack", reading, answer(403, { reason: "Forbidden" }), "refused"],
  ["a token that is no good", reading, answer(401, { reason: "Unauthorized" }), "transient"],
  ["too many requests: nothing was done", writing, answer(429), "transient"],
  ["a failure over a write: it may be stored", writing, answer(500), "in-doubt"],
  ["a time-out over a write", writing, answer(504, { reason: "Timeout" }), "in-doubt"],
  ["a failure over a read", reading, answer(503), "transient"],
  ["an object that is too large", writing, answer(413), "refused"],
  ["an object that is too large for etcd", writing, answer(500, { message: etcdLimit }), "refused"],
  ["a body that makes no sense", writing, answer(400, { reason: "BadRequest" }), "bug"],
  ["a policy's denial, whatever its code", patching, answer(422, { message: vap }), "refused"],
];

for (const [says, asked, given, trouble] of cases) {
  test(`${trouble} is what follows from ${says}`, () => equal(errorOf(asked, given).trouble, trouble));
}

test("every row of the table is reached by one of these cases, and removing it changes a verdict", () => {
  for (const row of troubles) {
    const without = troubles.filter((other) => other !== row);
    const changes = cases.some(([, asked, given, trouble]) => {
      const error = errorOf(asked, given);
      const facts = {
        code: error.code,
        reason: error.reason,
        causes: error.causes,
        retryAfterSeconds: undefined,
        message: error.message,
      };
      return (without.find(([, holds]) => holds(facts, asked))?.[2] ?? "none") !== trouble;
    });
    ok(changes, row[0]);
  }
});

test("an error names the verb, the object, the namespace and the server's words", () => {
  match(errorOf(writing, answer(403, { message: "you may not" })).message, /^update pods\/p in team-a: you may not$/);
});

test("a policy, a webhook, a quota and a terminating namespace are recognised", () => {
  equal(errorOf(writing, answer(422, { message: vap })).deniedBy, "portway-consent");
  equal(
    errorOf(writing, answer(403, { message: 'admission webhook "w.example" denied the request: no' })).deniedBy,
    "w.example",
  );
  ok(errorOf(writing, answer(403, { message: "exceeded quota: q, requested: 1" })).isQuotaExceeded);
  ok(errorOf(writing, answer(403, { causes: [{ reason: "NamespaceTerminating" }] })).isNamespaceTerminating);
});

test("a group that is not served is told from a 404 of something in between by the audit id", () => {
  const plain = { status: 404, headers: { "content-type": "text/plain" }, text: "404 page not found\n" };
  match(errorOf(reading, plain).message, /not from a Kubernetes API server/);
  const own = errorOf(reading, { ...plain, headers: { "audit-id": "1" } });
  match(own.message, /^get pods\/p in team-a: the server does not serve this kind$/);
  equal(own.trouble, "refused");
});

test("credentials that are refused are named as the reason, with what to do", () => {
  match(
    errorOf(reading, answer(401, { message: "Unauthorized" })).message,
    /does not accept our credentials; log in again/,
  );
});

test("an answer that is not Kubernetes' own says so and what to check", () => {
  const html = { status: 502, headers: { "content-type": "text/html" }, text: "<html>\n  <h1>Bad gateway</h1>" };
  match(
    errorOf(reading, html).message,
    /502, text\/html\) is not from a Kubernetes API server: "<html> <h1>Bad gateway.*Check the server's address/,
  );
});

test("a lost connection leaves a write that was sent in doubt, and nothing else", () => {
  const lost = (sent: boolean) => new ConnectionError("gone", { sent });
  equal(errorOfLoss(writing, lost(true)).trouble, "in-doubt");
  equal(errorOfLoss(writing, lost(false)).trouble, "transient");
  equal(errorOfLoss(reading, lost(true)).trouble, "transient");
});

test("the server's wish to be left alone is kept, from the object or the header", () => {
  equal(errorOf(reading, { status: 429, headers: { "retry-after": "7" }, text: "" }).retryAfterSeconds, 7);
  const text = JSON.stringify({ kind: "Status", details: { retryAfterSeconds: 3 } });
  equal(errorOf(reading, { status: 429, headers: {}, text }).retryAfterSeconds, 3);
});
