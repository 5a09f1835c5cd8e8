import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import type { Code } from "../../../rpc/errors.ts";
import { refusalOf, StoreRefusal, silence } from "./store-error.ts";

const answers: readonly (readonly [status: number, code: string, says: Code])[] = [
  [403, "InvalidAccessKeyId", "PERMISSION_DENIED"],
  [403, "SignatureDoesNotMatch", "PERMISSION_DENIED"],
  [403, "AccessDenied", "PERMISSION_DENIED"],
  [403, "XAdminAccessDenied", "PERMISSION_DENIED"],
  [400, "InvalidBucketName", "INVALID_ARGUMENT"],
  [409, "BucketAlreadyExists", "ALREADY_EXISTS"],
  [404, "NoSuchBucket", "NOT_FOUND"],
  [409, "BucketNotEmpty", "FAILED_PRECONDITION"],
  [403, "RequestTimeTooSkewed", "FAILED_PRECONDITION"],
  [409, "OperationAborted", "ABORTED"],
  [403, "QuotaExceeded", "RESOURCE_EXHAUSTED"],
  [507, "", "RESOURCE_EXHAUSTED"],
  [503, "SlowDown", "UNAVAILABLE"],
  [503, "", "UNAVAILABLE"],
  [429, "WhoKnows", "UNAVAILABLE"],
  [403, "WhoKnows", "PERMISSION_DENIED"],
  [501, "NotImplemented", "UNIMPLEMENTED"],
  [500, "InternalError", "INTERNAL"],
  [418, "", "INTERNAL"],
];

test("what a store answers becomes the code that says what happens next", () => {
  for (const [status, code, says] of answers) {
    const refused = new StoreRefusal("make the bucket photos", { status, code, message: "" });
    equal(refusalOf(refused).code, says, `${status} ${code}`);
  }
});

test("the words say what was tried, what the store said and what a person can do", () => {
  const answer = { status: 403, code: "SignatureDoesNotMatch", message: "It does not match." };
  equal(
    refusalOf(new StoreRefusal("list the users", answer)).message,
    "list the users: SignatureDoesNotMatch: It does not match. (check the driver's root credentials and start it again)",
  );
  equal(new StoreRefusal("list the users", { status: 502, code: "", message: "" }).message, "list the users: 502");
});

test("no answer is told apart by its cause, down to the innermost", () => {
  const timeout = Object.assign(new Error("aborted"), { name: "TimeoutError" });
  const late = silence("list the users", timeout, 10);
  deepEqual([late.code, late.message], ["DEADLINE_EXCEEDED", "list the users: the store did not answer within 10 s"]);

  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
  const away = silence("list the users", new TypeError("fetch failed", { cause: refused }), 10);
  equal(away.code, "UNAVAILABLE");
  match(away.message, /the store cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1$/);
  const many = Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" });
  match(silence("x", new TypeError("fetch failed", { cause: many }), 10).message, /ECONNREFUSED$/);
  match(silence("x", "a text", 10).message, /a text$/);
});
