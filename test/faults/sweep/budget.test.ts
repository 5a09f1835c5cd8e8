import { deepEqual, match } from "node:assert/strict";
import { test } from "node:test";
import type { WriteRecord } from "../proxy/write-record.ts";
import { counted, overspent } from "./budget.ts";

const bare = { dryRun: false, userAgent: "x", upkeep: false, preconditions: { tests: [] }, body: undefined };

function writes(...codes: readonly number[]): readonly WriteRecord[] {
  return codes.map((code, index) => {
    return { ...bare, n: index + 1, at: index, verb: "patch", group: "", resource: "pods", code, delivered: true };
  });
}

const usual = writes(200, 200);

test("as many stored writes as usual are within the budget, whatever was refused on the way", () => {
  deepEqual(overspent(writes(200, 409, 409, 200), usual, {}), []);
});

test("one more needs a fault that explains it", () => {
  const [why = ""] = overspent(writes(200, 200, 200), usual, {});
  match(why, /^G6 3 writes were stored, and 2 and 0 more can be explained: #1 patch pods/);
  deepEqual(overspent(writes(200, 200, 200), usual, { explains: 1 }), []);
});

test("what is written only after a turn is counted nowhere", () => {
  deepEqual(overspent(writes(200, 200, 200), usual, { afterDoubt: ({ n }) => n === 3 }), []);
});

test("tries without end are a circle, though none is stored", () => {
  const [why = ""] = overspent([...usual, ...writes(...Array<number>(40).fill(409))], usual, {});
  match(why, /^G6 it tried 42 times/);
});

test("what may repeat counts once for each object, and what was refused is no repeat", () => {
  const named = (name: string, code = 200) => writes(code).map((write) => ({ ...write, name }));
  const log = [...named("a"), ...named("a"), ...named("b"), ...named("a", 409), ...named("b")];
  deepEqual(
    counted(log, () => true).map(({ name, code }) => [name, code]),
    [
      ["a", 200],
      ["b", 200],
      ["a", 409],
    ],
  );
  deepEqual(counted(log), log);
});

test("where people may be told more, a status counts for nothing", () => {
  const told = writes(200, 200).map((write) => ({ ...write, subresource: "status" }));
  deepEqual(overspent([...usual, ...told], usual, { tells: true }), []);
  match(overspent([...usual, ...told], usual, {})[0] ?? "", /4 writes were stored/);
});
