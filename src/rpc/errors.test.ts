import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import type { Trouble } from "../api/trouble.ts";
import { type Code, codeOf, errorOf, errorOfUnreadable, troubles } from "./errors.ts";
import { type Kind, kindOf } from "./kinds.ts";

const path = "/csi.v1.Controller/CreateVolume";

const cases: readonly (readonly [says: string, kind: Kind, code: Code, trouble: Trouble])[] = [
  ["a volume may yet come into being after a deadline", "create", "DEADLINE_EXCEEDED", "in-doubt"],
  ["a volume may yet come into being after a cut connection", "create", "UNAVAILABLE", "in-doubt"],
  ["a volume may yet come into being after a cancelled call", "create", "CANCELLED", "in-doubt"],
  ["another call for the volume is under way", "create", "ABORTED", "in-doubt"],
  ["a volume may be gone after a deadline", "delete", "DEADLINE_EXCEEDED", "in-doubt"],
  ["a volume may have grown", "change", "UNAVAILABLE", "in-doubt"],
  ["a list leaves nothing behind", "read", "DEADLINE_EXCEEDED", "transient"],
  ["no room is left", "create", "RESOURCE_EXHAUSTED", "transient"],
  ["the request makes no sense to the driver", "create", "INVALID_ARGUMENT", "refused"],
  ["the name is taken by something else", "create", "ALREADY_EXISTS", "refused"],
  ["the driver cannot do it", "delete", "UNIMPLEMENTED", "refused"],
  ["the driver failed and says so", "create", "INTERNAL", "transient"],
];

for (const [says, kind, code, trouble] of cases)
  test(`${trouble} is what follows from: ${says}`, () => equal(errorOf(path, kind, code, "no").trouble, trouble));

test("only four codes leave a change in doubt, and none leaves a look in doubt", () => {
  const inDoubt = (kind: Kind) => Object.entries(troubles).filter(([, row]) => row[kind] === "in-doubt");
  const four = ["CANCELLED", "DEADLINE_EXCEEDED", "UNAVAILABLE", "ABORTED"];
  for (const kind of ["create", "change", "delete"] as const)
    deepEqual(
      inDoubt(kind).map(([code]) => code),
      four,
    );
  deepEqual(inDoubt("read"), []);
});

test("every number of gRPC but success has its name, and a number nobody knows is UNKNOWN", () => {
  const numbers = Object.values(status).filter((value) => typeof value === "number" && value !== status.OK) as number[];
  deepEqual(numbers.map(codeOf).sort(), Object.keys(troubles).sort());
  equal(codeOf(99), "UNKNOWN");
});

const withoutStatus = [
  "Received RST_STREAM with code 0 (Call ended without gRPC status)",
  "Received RST_STREAM with code 2 (Internal server error)",
  "Received HTTP status code 502",
  "Bandwidth exhausted or memory limit exceeded",
];

for (const details of withoutStatus)
  test(`a call that ended without a status leaves a create in doubt, whatever code it got: ${details}`, () => {
    equal(errorOf(path, "create", "RESOURCE_EXHAUSTED", details).trouble, "in-doubt");
    equal(errorOf(path, "read", "INTERNAL", details).trouble, "transient");
  });

test("an answer that cannot be read leaves a create in doubt: the driver said that it worked", () => {
  equal(errorOfUnreadable(path, "create", "odd bytes").trouble, "in-doubt");
});

test("an error names the method, the driver's words and the code", () => {
  equal(errorOf(path, "create", "OUT_OF_RANGE", "too big").message, "CreateVolume: too big (OUT_OF_RANGE)");
  match(errorOf(path, "create", "INTERNAL", "").message, /no reason was given/);
});

test("a repeated failure has the same words, however long it took", () => {
  const after = (time: string) =>
    errorOf(path, "create", "DEADLINE_EXCEEDED", `Deadline exceeded after ${time}`).message;
  equal(after("0.300s,wait_for_ready"), "CreateVolume: no answer in time (DEADLINE_EXCEEDED)");
  equal(after("0.301s"), after("0.300s,wait_for_ready"));
  const lost = "No connection established. Last error: Error: connect ENOENT /run/csi/socket. Resolution note: x";
  equal(errorOf(path, "create", "UNAVAILABLE", lost).details, "no connection: connect ENOENT /run/csi/socket");
});

test("a method without a kind is treated like the most dangerous one", () => {
  equal(kindOf("createVolume"), "create");
  equal(kindOf("toString"), "create");
  equal(kindOf("listVolumes"), "read");
});
