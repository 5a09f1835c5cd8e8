import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { boolean, constantFrom, record } from "fast-check";
import { tableTests } from "../../../test/fixture/table-kit.ts";
import { decide } from "../../runtime/table.ts";
import { ending } from "./rules.ts";
import type { Ending } from "./seen.ts";

const volume = { metadata: { name: "pvc-1", uid: "u", resourceVersion: "1" } };
const states = record<Ending>({
  volume: constantFrom(volume),
  policy: constantFrom("Delete", "Retain", "Recycle"),
  phase: constantFrom("Pending", "Available", "Bound", "Released", "Failed"),
  isHeld: boolean(),
  isLeaving: boolean(),
  attachedTo: constantFrom<readonly string[]>([], ["node-1"]),
  isDeleted: boolean(),
});

tableTests({ name: "ending", table: ending, states });

const released: Ending = {
  volume,
  policy: "Delete",
  phase: "Released",
  isHeld: true,
  isLeaving: false,
  attachedTo: [],
  isDeleted: false,
};

const cases: readonly (readonly [says: string, seen: Partial<Ending>, step: string | undefined])[] = [
  ["the driver deletes it when its claim is gone", {}, "delete-volume"],
  ["then its object goes", { isDeleted: true }, "delete-object"],
  ["then its hold", { isDeleted: true, isLeaving: true }, "let-go"],
  [
    "an object that is deleted by hand is not let go before the driver has done its part",
    { isLeaving: true },
    "delete-volume",
  ],
  ["one that is kept is let go", { policy: "Retain" }, "let-go"],
  ["one that goes with its claim is held", { phase: "Bound", isHeld: false }, "hold"],
  ["one that is attached stays", { attachedTo: ["node-1"] }, undefined],
  ["one whose claim lives stays", { phase: "Bound" }, undefined],
];

for (const [says, seen, step] of cases) {
  test(says, () => {
    const { plan } = decide(ending, { ...released, ...seen });
    deepEqual(plan.do === "step" ? plan.step : undefined, step);
  });
}
