import { equal } from "node:assert/strict";
import { test } from "node:test";
import type { LabelSelector } from "./gen/meta.ts";
import { selects } from "./label-selector.ts";

const labels = { team: "a", tier: "gold" };
const demand = (key: string, operator: string, ...values: readonly string[]): LabelSelector => ({
  matchExpressions: [{ key, operator, ...(values.length === 0 ? {} : { values }) }],
});

const cases: readonly (readonly [says: string, selector: LabelSelector, isSelected: boolean])[] = [
  ["nothing is demanded", {}, true],
  ["a label has the value", { matchLabels: { team: "a" } }, true],
  ["a label has another value", { matchLabels: { team: "b" } }, false],
  ["one of two labels is missing", { matchLabels: { team: "a", size: "xl" } }, false],
  ["a name that every object has is no label", demand("constructor", "Exists"), false],
  ["In, and it is", demand("team", "In", "b", "a"), true],
  ["In, and it is not", demand("team", "In", "b"), false],
  ["In, and it is missing", demand("size", "In", "xl"), false],
  ["NotIn, and it is", demand("team", "NotIn", "a"), false],
  ["NotIn, and it is missing", demand("size", "NotIn", "xl"), true],
  ["Exists", demand("tier", "Exists"), true],
  ["Exists, and it is missing", demand("size", "Exists"), false],
  ["DoesNotExist", demand("size", "DoesNotExist"), true],
  ["DoesNotExist, and it is there", demand("tier", "DoesNotExist"), false],
  ["an operator of a later version", demand("team", "Like", "a"), false],
  ["both, and one fails", { matchLabels: { team: "a" }, ...demand("tier", "In", "silver") }, false],
];

for (const [says, selector, isSelected] of cases)
  test(`${says}: ${isSelected ? "selected" : "not selected"}`, () => equal(selects(selector, labels), isSelected));

test("what has no labels at all is selected only where none is demanded", () => {
  equal(selects({}, undefined), true);
  equal(selects({ matchLabels: { team: "a" } }, undefined), false);
});
