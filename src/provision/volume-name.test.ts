import { deepEqual, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { uid } from "../../test/provision/orders.ts";
import { volumeNameOf } from "./volume-name.ts";

const names = [
  ["pvc", -1, `pvc-${uid}`],
  ["fast", -1, `fast-${uid}`],
  ["a.b", 8, "a.b-0d2f3a54"],
  ["pvc", 10, "pvc-0d2f3a549f"],
  ["pvc", 32, `pvc-${uid.replaceAll("-", "")}`],
  ["pvc", 99, `pvc-${uid.replaceAll("-", "")}`],
] as const;

for (const [volumeNamePrefix, volumeNameUuidLength, name] of names) {
  test(`the volume is called ${name}`, () => {
    deepEqual(volumeNameOf({ volumeNamePrefix, volumeNameUuidLength }, uid), { is: "fine", value: name });
  });
}

const refusals = [
  ["", -1, /"-.* cannot name a volume: set --volume-name-prefix/],
  ["PVC", -1, /"PVC-.* cannot name a volume/],
  ["my_pvc", -1, /cannot name a volume/],
  ["x".repeat(250), -1, /cannot name a volume/],
  ["pvc", 0, /by 0 characters.*--volume-name-uuid-length/],
  ["pvc", -2, /by -2 characters/],
  ["pvc", 1.5, /by 1.5 characters/],
] as const;

for (const [volumeNamePrefix, volumeNameUuidLength, because] of refusals) {
  test(`no volume is called by ${volumeNameUuidLength} of a uid behind "${volumeNamePrefix}"`, () => {
    const judged = volumeNameOf({ volumeNamePrefix, volumeNameUuidLength }, uid);
    ok(judged.is === "refused");
    match(judged.because, because);
  });
}

test("a claim without a uid gets no name that another may have", () => {
  ok(volumeNameOf({ volumeNamePrefix: "pvc", volumeNameUuidLength: -1 }, "").is === "refused");
});
