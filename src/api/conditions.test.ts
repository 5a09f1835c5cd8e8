import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { withCondition } from "./conditions.ts";

const monday = new Date("2026-11-16T08:00:00.123Z");
const tuesday = new Date("2026-11-17T08:00:00.456Z");
const waiting = {
  type: "Complete",
  status: "False",
  reason: "SourceInUse",
  message: "pod a",
  observedGeneration: 1,
} as const;

test("a condition keeps its time until its status changes", () => {
  const first = withCondition(undefined, waiting, monday);
  equal(first[0]?.lastTransitionTime, "2026-11-16T08:00:00Z");
  const still = withCondition(first, { ...waiting, message: "pod b", observedGeneration: 2 }, tuesday);
  deepEqual(still, [
    { ...waiting, message: "pod b", observedGeneration: 2, lastTransitionTime: "2026-11-16T08:00:00Z" },
  ]);
  const done = withCondition(still, { ...waiting, status: "True" }, tuesday);
  equal(done[0]?.lastTransitionTime, "2026-11-17T08:00:00Z");
});

test("the conditions of others stay where they are", () => {
  const other = {
    type: "Ready",
    status: "True",
    reason: "Ok",
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  const both = withCondition([other], waiting, monday);
  deepEqual(both[0], other);
  equal(withCondition(both, { ...waiting, status: "True" }, tuesday).length, 2);
});
