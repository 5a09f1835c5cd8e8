import { equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { lateTier, shortTier, wholeSweep } from "./cases.ts";
import { crashPairs } from "./write-cases.ts";

test("the short tier is three cases a site", () => equal(shortTier(7, []).length, 21));

test("no two cases say the same, so that each can be asked for", () => {
  const resources = ["pods", "claims"];
  const says = [...wholeSweep(12, resources), ...lateTier(12, resources)].map((one) => one.says);
  equal(new Set(says).size, says.length);
});

test("crashes come in all pairs up to 8 sites, and at every site of a longer flow", () => {
  equal(crashPairs(8).length, 36);
  const long = crashPairs(20).map(({ says }) => says);
  ok(long.length < 60);
  for (let site = 1; site <= 20; site++) ok(long.some((says) => says.startsWith(`killed before write ${site},`)));
});

test("only a refusal is an exception to the same end", () => {
  const refusing = wholeSweep(3, ["pods"]).filter(({ refuses }) => refuses === true);
  ok(refusing.every(({ says }) => /^answer (403|422) at write/.test(says)));
  equal(refusing.length, 6);
});
