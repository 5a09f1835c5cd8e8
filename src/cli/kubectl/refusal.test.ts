import { equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../api/failure.ts";
import type { Trouble } from "../../api/trouble.ts";
import { ApiError, type Facts } from "../../kube/errors.ts";
import { advice, asFailure } from "./refusal.ts";

const asked = { verb: "create", resource: "storagetransferrequests", namespace: "b", name: "r", writes: true };

function no(facts: Partial<Facts>, trouble: Trouble = "refused"): ApiError {
  return new ApiError(
    asked,
    { code: 403, reason: "Forbidden", message: "no", causes: [], retryAfterSeconds: undefined, ...facts },
    trouble,
  );
}

const policy = "ValidatingAdmissionPolicy 'portway-consent' with binding 'x' denied request: bob may not";
const webhook =
  'failed calling webhook "give-and-accept.transfer.portway.dev": failed to call webhook: connection refused';
const cases: readonly (readonly [row: string, problem: ApiError, next: RegExp])[] = [
  ["there was no answer", no({ code: 0 }, "transient"), /kubectl cluster-info/],
  ["we are not let in", no({ code: 401 }), /Log in again/],
  ["the kind is not there", no({ code: 404, reason: "NotServed" }), /does not serve storagetransferrequests/],
  ["the quota is used up", no({ message: "exceeded quota: small" }), /kubectl describe quota -n b/],
  ["the namespace goes", no({ causes: [{ reason: "NamespaceTerminating" }] }), /being deleted/],
  ["a policy refuses", no({ message: policy }), /The policy portway-consent/],
  ["our webhook does not answer", no({ code: 500, message: webhook }, "in-doubt"), /look at portway-webhook/],
  ["a right is missing", no({}), /kubectl auth can-i create storagetransferrequests -n b/],
  ["there is no such object", no({ code: 404, reason: "NotFound" }, "conflict"), /Check the name/],
  ["the name is taken", no({ code: 409, reason: "AlreadyExists" }, "conflict"), /choose another name/],
  ["somebody else holds a field", no({ code: 409, causes: [{ reason: "FieldManagerConflict" }] }), /--force-conflicts/],
  ["it has changed meanwhile", no({ code: 409, reason: "Conflict" }, "conflict"), /try again/],
  ["it is not valid", no({ code: 422 }), /Correct what/],
  ["the server fails", no({ code: 500 }, "in-doubt"), /Try again/],
];

for (const [row, problem, next] of cases) {
  test(`${row}: the server's words, and what to do`, () => {
    equal(advice.find(([, holds]) => holds(problem))?.[0], row);
    const failure = asFailure(problem);
    ok(failure instanceof Failure);
    equal(failure.message, problem.message);
    match(failure.next, next);
  });
}

test("every row is reached, and a bug stays a bug", () => {
  equal(cases.length, advice.length);
  const bug = new TypeError("x");
  equal(asFailure(bug), bug);
});
