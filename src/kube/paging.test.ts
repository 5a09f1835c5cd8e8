import { equal } from "node:assert/strict";
import { test } from "node:test";
import { isList } from "./paging.ts";

const cases: readonly (readonly [says: string, answer: unknown, verdict: boolean])[] = [
  ["a list", { items: [], metadata: { resourceVersion: "7" } }, true],
  ["a list whose items are null, as Go writes an empty one", { items: null, metadata: { resourceVersion: "7" } }, true],
  ["a Status with code 200", { kind: "Status", metadata: {}, status: "Failure" }, false],
  ["items without a version", { items: [], metadata: {} }, false],
  ["a version without items", { metadata: { resourceVersion: "7" } }, false],
  ["null", null, false],
];

for (const [says, answer, verdict] of cases)
  test(`${says} is ${verdict ? "" : "not "}a list`, () => equal(isList(answer), verdict));
