import { equal } from "node:assert/strict";
import { test } from "node:test";
import { sizeIsOver, thousandthsOf } from "./quantity.ts";

const equalSizes: readonly (readonly [string, string])[] = [
  ["1Gi", "1024Mi"],
  ["1.5Gi", "1536Mi"],
  ["1G", "1000M"],
  ["1e9", "1G"],
  ["1E9", "1G"],
  ["1000m", "1"],
  [".5Ki", "512"],
  ["8Ei", "8192Pi"],
  ["1k", "1000"],
];

for (const [one, other] of equalSizes) {
  test(`${one} is ${other}`, () => equal(thousandthsOf(one), thousandthsOf(other)));
}

for (const nonsense of ["", "Gi", "1Xi", "one", "1 Gi", "1.2.3", "1e99", ".", "1KI"]) {
  test(`"${nonsense}" is no quantity`, () => equal(thousandthsOf(nonsense), undefined));
}

test("more is more, also where a number would round", () => {
  equal(sizeIsOver("9223372036854775807", "9223372036854775806"), true);
  equal(sizeIsOver("1Gi", "1Gi"), false);
  equal(sizeIsOver("1Gi", undefined), false);
});
