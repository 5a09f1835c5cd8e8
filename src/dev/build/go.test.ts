import { equal } from "node:assert/strict";
import { test } from "node:test";
import { assert as check, nat, property, tuple } from "fast-check";
import { isAtLeast } from "./go.ts";

const version = tuple(nat(30), nat(30), nat(30));

test("versions are compared as numbers, in any spelling", () => {
  check(
    property(version, version, (a, b) => {
      const difference = a.map((n, i) => n - (b[i] ?? 0)).find((d) => d !== 0) ?? 0;
      equal(isAtLeast(`go${a.join(".")}`, b.join(".")), difference >= 0);
    }),
  );
});

test("a version without a patch number counts as .0, a release candidate as its release", () => {
  equal(isAtLeast("go1.26", "1.26.0"), true);
  equal(isAtLeast("go1.26rc1", "1.26.0"), true);
  equal(isAtLeast("go1.9.7", "1.26.0"), false);
});
