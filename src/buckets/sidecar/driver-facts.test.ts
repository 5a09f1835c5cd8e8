import { deepEqual, equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { Failure } from "../../api/failure.ts";
import { Capability, GetDriverInfoResponseSchema } from "../../rpc/gen/buckets_pb.js";
import { factsOf } from "./driver-facts.ts";

const said = (more: object = {}) => factsOf(create(GetDriverInfoResponseSchema, { name: "s3.example.com", ...more }));

test("what a driver does not say it cannot do", () => {
  const { limitsAccess, limitsSize, purges, grantsOnCreate, capabilities } = said();
  deepEqual([limitsAccess, limitsSize, purges, grantsOnCreate, capabilities], [false, false, false, false, []]);
});

test("each capability is taken for what it is, and written down in words, one of a newer driver as its number", () => {
  const of = (...capabilities: readonly number[]) => said({ capabilities });
  equal(of(Capability.ACCESS_MODES).limitsAccess, true);
  equal(of(Capability.QUOTA).limitsSize, true);
  equal(of(Capability.PURGE).purges, true);
  equal(of(Capability.GRANTS_ON_CREATE).grantsOnCreate, true);
  deepEqual(of(Capability.QUOTA, 99).capabilities, ["QUOTA", "99"]);
});

for (const name of ["", "S3", "s3_driver", "a..b", "a.-b", "-a", "a.", "x".repeat(64)])
  test(`a driver cannot be called "${name}": its registration would be refused`, () =>
    throws(() => said({ name }), Failure));

test("a long name that the server takes is taken", () => equal(said({ name: "x".repeat(63) }).name.length, 63));

test("what its registration cannot hold is told in words, or cut where nobody misses it", () => {
  throws(() => said({ protocols: ["s3", ""] }), /names the protocol ""/);
  throws(() => said({ protocols: ["x".repeat(64)] }), Failure);
  throws(() => said({ protocols: Array.from({ length: 17 }, () => "s3") }), /names 17 protocols/);
  equal(said({ version: "v".repeat(300) }).version.length, 253);
});
