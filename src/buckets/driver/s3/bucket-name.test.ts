import { equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { bucketNamed, canBeBucket } from "./bucket-name.ts";

test("names that S3 takes are taken as they are", () => {
  for (const name of ["abc", "a-b.c-1", "0aa", "x".repeat(63), "1.2.3", "1.2.3.4.5", "a--b"]) {
    equal(bucketNamed(name), name);
    equal(canBeBucket(name), true);
  }
});

const broken: readonly (readonly [name: string, why: RegExp])[] = [
  ["", /3 to 63 characters/],
  ["ab", /3 to 63 characters/],
  ["x".repeat(64), /3 to 63 characters/],
  ["Photos", /only a-z, 0-9, dots and hyphens/],
  ["pho_tos", /only a-z/],
  ["pho/tos", /only a-z/],
  ["pho\ntos", /only a-z/],
  ["-photos", /begins and ends/],
  ["photos.", /begins and ends/],
  ["pho..tos", /no dot stands beside/],
  ["pho.-tos", /no dot stands beside/],
  ["pho-.tos", /no dot stands beside/],
  ["192.168.0.1", /does not look like an IP address/],
];

test("every other name is refused with the rule that it breaks", () => {
  for (const [name, why] of broken) {
    throws(() => bucketNamed(name), { code: "INVALID_ARGUMENT", message: why }, JSON.stringify(name));
    equal(canBeBucket(name), false);
  }
});
