import { equal } from "node:assert/strict";
import { test } from "node:test";
import { array, assert, double, property } from "fast-check";
import { expositionOf, numberText } from "./exposition.ts";

const asGoWritesThem: readonly (readonly [number, string])[] = [
  [0, "0"],
  [1, "1"],
  [-1.5, "-1.5"],
  [10e-9, "1e-08"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [123_456, "123456"],
  [1_000_000, "1e+06"],
  [24_698_880, "2.469888e+07"],
  [1.7e300, "1.7e+300"],
  [Number.POSITIVE_INFINITY, "+Inf"],
  [Number.NEGATIVE_INFINITY, "-Inf"],
  [Number.NaN, "NaN"],
];
for (const [value, text] of asGoWritesThem) {
  test(`${value} is written ${text}`, () => equal(numberText(value), text));
}

test("whatever the number, it is read back as the same", () => {
  assert(
    property(double({ noNaN: true, min: -1e308, max: 1e308 }), (value) => {
      equal(Number(numberText(value)) + 0, value + 0);
    }),
  );
});

test("the text does not depend on the order in which families were declared", () => {
  const family = (name: string) => ({ name, help: "", type: "gauge" as const, samples: [sample] });
  const sample = { suffix: "", labels: [], value: 1 };
  assert(
    property(array(double(), { minLength: 2, maxLength: 6 }), (keys) => {
      const names = ["a", "b", "c", "d", "e", "f"].slice(0, keys.length);
      const shuffled = names.map((name, n) => [keys[n] ?? 0, name] as const).sort(([a], [b]) => a - b);
      equal(expositionOf(shuffled.map(([, name]) => family(name))), expositionOf(names.map(family)));
    }),
  );
});
