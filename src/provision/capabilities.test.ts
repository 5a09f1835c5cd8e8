import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { aClaim, aDriver } from "../../test/provision/orders.ts";
import type { PersistentVolumeClaim } from "../api/gen/core.ts";
import { capabilitiesOf, isBlock, isReadOnly } from "./capabilities.ts";

const mount = { fsType: "xfs", mountFlags: ["noatime"] };

function modesOf(claim: PersistentVolumeClaim, driver = aDriver()): readonly (number | undefined)[] {
  const judged = capabilitiesOf(claim, driver, mount);
  ok(judged.is === "fine");
  return judged.value.map(({ accessMode }) => accessMode?.mode);
}

const all = aClaim({ accessModes: ["ReadWriteMany", "ReadOnlyMany", "ReadWriteOnce", "ReadWriteOncePod"] });

test("every access mode has its own number, in the claim's order", () => deepEqual(modesOf(all), [5, 3, 1, 1]));

test("a driver that can tell one writer from many on a node is told", () => {
  deepEqual(modesOf(all, aDriver("SINGLE_NODE_MULTI_WRITER")), [5, 3, 7, 6]);
});

test("a file system comes with its type and its mount options, for every mode", () => {
  const value = { fsType: "xfs", mountFlags: ["noatime"] };
  const judged = capabilitiesOf(aClaim({ accessModes: ["ReadWriteOnce", "ReadOnlyMany"] }), aDriver(), mount);
  deepEqual(judged, {
    is: "fine",
    value: [1, 3].map((mode) => ({ accessType: { case: "mount", value }, accessMode: { mode } })),
  });
});

test("a block device has neither", () => {
  const judged = capabilitiesOf(aClaim({ volumeMode: "Block" }), aDriver(), mount);
  deepEqual(judged, { is: "fine", value: [{ accessType: { case: "block", value: {} }, accessMode: { mode: 1 } }] });
});

for (const mode of ["WriteOnceReadNever", "constructor"]) {
  test(`an access mode of another time is refused: ${mode}`, () => {
    const text = JSON.stringify(aClaim()).replace("ReadWriteOnce", mode);
    const judged = capabilitiesOf(JSON.parse(text) as PersistentVolumeClaim, aDriver(), mount);
    ok(judged.is === "refused");
    match(judged.because, new RegExp(`"${mode}" is not known here: use one of ReadWriteMany, `));
  });
}

test("only reading, and block devices", () => {
  equal(isReadOnly(aClaim({ accessModes: ["ReadOnlyMany"] })), true);
  equal(isReadOnly(aClaim({ accessModes: ["ReadOnlyMany", "ReadWriteOnce"] })), false);
  equal(isReadOnly(aClaim()), false);
  equal(isBlock(aClaim({ volumeMode: "Block" })), true);
  equal(isBlock({ metadata: {} }), false);
});
