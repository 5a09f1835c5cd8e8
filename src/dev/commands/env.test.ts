import { equal } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { assert as check, property, string } from "fast-check";
import { quoted } from "./env.ts";

test("whatever a value holds, a shell reads back the same", () => {
  const withoutNul = string({ unit: "binary-ascii" }).map((text) => text.replaceAll("\0", ""));
  check(
    property(withoutNul, (value) => {
      equal(execFileSync("sh", ["-c", `printf %s ${quoted(value)}`], { encoding: "utf8" }), value);
    }),
    { numRuns: 50 },
  );
});
