import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { limitsIn } from "./limits.ts";

test("no limit is none", () => {
  deepEqual(limitsIn(), { is: "none" });
  deepEqual(limitsIn({ region: "eu" }), { is: "none" });
});

test("each limit is read as a quantity, and no other parameter is", () => {
  deepEqual(limitsIn({ maxSizePerBucket: "1.5Gi", region: "10" }), {
    is: "some",
    bounds: { maxBytes: 1_610_612_736n },
  });
  deepEqual(limitsIn({ maxSizePerBucket: "1", maxObjectsPerBucket: "2k" }), {
    is: "some",
    bounds: { maxBytes: 1n, maxObjects: 2000n },
  });
});

for (const quantity of ["", "big", "0", "-1", "1.5", "500m", "10Ei", "9223372036854775808"])
  test(`"${quantity}" is no limit that a driver could keep`, () => {
    const found = limitsIn({ maxObjectsPerBucket: quantity });
    equal(found.is, "unclear");
    match(found.is === "unclear" ? found.why : "", /^maxObjectsPerBucket is /);
  });

test("the largest one that fits is taken", () => {
  deepEqual(limitsIn({ maxSizePerBucket: "9223372036854775807" }), {
    is: "some",
    bounds: { maxBytes: 2n ** 63n - 1n },
  });
});
