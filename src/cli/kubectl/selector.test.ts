import { deepEqual, equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../api/failure.ts";
import { selects } from "../../api/label-selector.ts";
import { selectorInWords, selectorOf } from "./selector.ts";

const read: readonly (readonly [
  text: string,
  demands: readonly (readonly [string, string, (readonly string[])?])[],
])[] = [
  ["team=b", [["team", "In", ["b"]]]],
  ["team==b", [["team", "In", ["b"]]]],
  ["team=", [["team", "In", [""]]]],
  ["team!=b", [["team", "NotIn", ["b"]]]],
  ["example.com/team", [["example.com/team", "Exists"]]],
  ["!team", [["team", "DoesNotExist"]]],
  ["tier in (gold, silver)", [["tier", "In", ["gold", "silver"]]]],
  ["tier notin (gold)", [["tier", "NotIn", ["gold"]]]],
  [
    "team=b, tier in (gold,silver),!old",
    [
      ["team", "In", ["b"]],
      ["tier", "In", ["gold", "silver"]],
      ["old", "DoesNotExist"],
    ],
  ],
];

for (const [text, demands] of read)
  test(`"${text}" is read as kubectl reads it, and can be said again`, () => {
    const selector = selectorOf(text, "--to-selector");
    deepEqual(
      selector.matchExpressions?.map(({ key, operator, values }) =>
        values === undefined ? [key, operator] : [key, operator, values],
      ),
      demands,
    );
    deepEqual(selectorOf(selectorInWords(selector), "--to-selector"), selector);
  });

for (const text of ["", "=b", "team=b,", "tier in gold", "tier in (gold", "a b", "(a)"])
  test(`"${text}" is no selector`, () => throws(() => selectorOf(text, "--to-selector"), Failure));

test("what is read selects what is meant", () => {
  const selector = selectorOf("team=b,tier notin (gold),!old", "-l");
  equal(selects(selector, { team: "b" }), true);
  equal(selects(selector, { team: "b", tier: "gold" }), false);
  equal(selects(selector, { team: "b", old: "" }), false);
});

test("labels are told like demands", () => equal(selectorInWords({ matchLabels: { team: "b" } }), "team=b"));
