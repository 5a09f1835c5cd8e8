import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { acceptOn, giveOn } from "./wish.ts";

const claim = (annotations: Readonly<Record<string, string>>) => ({ metadata: { name: "data", annotations } });
const ours = "transfer.portway.dev/transfer-request";

test("the seed's word and ours mean the same", () => {
  const wish = { is: "clear", namespace: "b", name: "data.1" };
  deepEqual(giveOn(claim({ transferRequest: "b/data.1" })), wish);
  deepEqual(giveOn(claim({ [ours]: "b/data.1" })), wish);
  deepEqual(giveOn(claim({ transferRequest: "b/data.1", [ours]: "b/data.1" })), wish);
  deepEqual(acceptOn(claim({ transferAccept: "b/data.1" })), wish);
  deepEqual(giveOn(claim({ transferAccept: "b/data.1" })), { is: "none" });
});

test("two forms that differ mean nothing", () => {
  const wish = giveOn(claim({ transferRequest: "b/data", [ours]: "c/data" }));
  ok(wish.is === "unclear");
  match(wish.why, /keep one of them/);
});

for (const value of [
  "",
  "b",
  "/",
  "b/",
  "/x",
  "B/x",
  "b/x/y",
  "b /x",
  "b/-x",
  "b.c/x",
  `${"b".repeat(64)}/x`,
  `b/${"x".repeat(254)}`,
]) {
  test(`"${value.slice(0, 20)}" is no place`, () => equal(giveOn(claim({ transferRequest: value })).is, "unclear"));
}

test("the longest names there are can be given", () => {
  equal(giveOn(claim({ transferRequest: `${"b".repeat(63)}/${"x".repeat(253)}` })).is, "clear");
});

test("a long text is told apart at once, whatever it is made of", () => {
  for (const word of ["a", "-", "a-", "a.", "/"])
    equal(giveOn(claim({ transferRequest: word.repeat(100_000) })).is, "unclear");
});
