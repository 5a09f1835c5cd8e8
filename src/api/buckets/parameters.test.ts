import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { driverParameters } from "./parameters.ts";

test("what is meant for Portway stays here, and everything else is the driver's", () => {
  deepEqual(driverParameters({ "cosi.io/secret-format": "aws", region: "eu", "x.cosi.io/y": "z" }), {
    region: "eu",
    "x.cosi.io/y": "z",
  });
  deepEqual(driverParameters(), {});
});
