import { deepEqual, match, throws } from "node:assert/strict";
import { test } from "node:test";
import { boolean, record } from "fast-check";
import { tableTests } from "../../test/fixture/table-kit.ts";
import { explain, tableInMarkdown } from "./print-table.ts";
import { decide, refuse, rest, step, type Table, Unforeseen, wait } from "./table.ts";

interface Door {
  readonly isThere: boolean;
  readonly locked: boolean;
  readonly open: boolean;
}

const doors: Table<Door, "open-it"> = [
  ["there is no door", (d) => !d.isThere, refuse("TargetTaken", "a wall stands there")],
  ["the door is locked", (d) => d.locked && !d.open, wait("SourceBusy", { recheckSeconds: 5 })],
  ["the door is shut", (d) => !d.open, () => step("open-it")],
  ["the door is open", (d) => d.open, rest],
];

tableTests({ name: "doors", table: doors, states: record({ isThere: boolean(), locked: boolean(), open: boolean() }) });

const shut: Door = { isThere: true, locked: false, open: false };

test("the first row that holds wins", () => {
  deepEqual(decide(doors, shut), { row: "the door is shut", plan: { do: "step", step: "open-it" } });
  deepEqual(decide(doors, { ...shut, locked: true }).row, "the door is locked");
});

test("a state that no row names is not acted upon", () => {
  throws(() => decide(doors.slice(0, 2), shut), Unforeseen);
});

test("a table prints itself", () => {
  const lines = tableInMarkdown("Doors", doors).split("\n");
  deepEqual(lines[0], "## Doors");
  deepEqual(lines.slice(6, 10), [
    "| 1 | there is no door | refuse: TargetTaken. a wall stands there |",
    "| 2 | the door is locked | wait: SourceBusy. Another transfer of this source is under way. |",
    "| 3 | the door is shut | depends on what is seen |",
    "| 4 | the door is open | nothing is left to do |",
  ]);
});

test("a table explains itself on what is given", () => {
  const { passedOver, row, plan, next } = explain(doors, { ...shut, locked: true });
  deepEqual([passedOver, row], [["there is no door"], "the door is locked"]);
  match(plan, /^wait: SourceBusy/);
  match(next, /Wait until/);
});
