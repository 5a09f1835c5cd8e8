import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../kube/errors.ts";
import { Hindrance, refusalOf } from "./hindrance.ts";

const asked = { verb: "create", resource: "secrets", writes: true };
const refusedWith = (message: string) =>
  new ApiError(asked, { code: 403, reason: "Forbidden", message, causes: [], retryAfterSeconds: undefined }, "refused");

test("what is in the way is told for what it is", () => {
  deepEqual(refusalOf(new Hindrance("SecretConflict", "It is another's.")), {
    do: "refuse",
    why: "SecretConflict",
    detail: "It is another's.",
  });
});

test("a full quota is told from any other refusal of the server", () => {
  const whyOf = (message: string) => refusalOf(refusedWith(message)).why;
  deepEqual(whyOf("exceeded quota: few, requested: count/secrets=1"), "QuotaExceeded");
  deepEqual(whyOf("not allowed"), "RefusedByServer");
});
