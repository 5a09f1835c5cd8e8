import { equal } from "node:assert/strict";
import { test } from "node:test";
import { wantsColours } from "../asking.ts";
import { ageOf } from "./age.ts";
import { coloured } from "./colours.ts";

const start = "2026-01-01T00:00:00Z";

for (const [seconds, age] of [
  [0, "0s"],
  [119, "119s"],
  [120, "2m"],
  [7199, "119m"],
  [7200, "2h"],
  [172_799, "47h"],
  [172_800, "2d"],
  [-5, "0s"],
] as const) {
  test(`${seconds} s are ${age}`, () => {
    equal(ageOf(start, new Date(Date.parse(start) + seconds * 1000)), age);
  });
}

test("an age that nobody knows is not invented", () => {
  equal(ageOf(undefined, new Date()), "<unknown>");
});

test("colours are for terminals, and for those who want them", () => {
  equal(wantsColours({ isTTY: true }, {}), true);
  equal(wantsColours({ isTTY: false }, {}), false);
  equal(wantsColours({ isTTY: true }, { NO_COLOR: "1" }), false);
  equal(wantsColours({ isTTY: true }, { TERM: "dumb" }), false);
  equal(coloured("Failed", true), "\u001b[31mFailed\u001b[0m");
  equal(coloured("Failed", false), "Failed");
});
