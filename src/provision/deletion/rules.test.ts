import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { assert, boolean, constantFrom, property, record } from "fast-check";
import { tableTests } from "../../../test/fixture/table-kit.ts";
import { decide } from "../../runtime/table.ts";
import { volumeFinalizer } from "../names.ts";
import type { Watches } from "../watches.ts";
import { ending } from "./rules.ts";
import { type Ending, isAtRest, observeEnding } from "./seen.ts";

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

test("a volume at rest is one for which nothing would be done, whatever else is true of it", () => {
  const { policy, phase } = {
    policy: constantFrom("Delete", "Retain", "Recycle"),
    phase: constantFrom("Pending", "Available", "Bound", "Released", "Failed"),
  };
  const looks = record({ policy, phase, isHeld: boolean(), isLeaving: boolean(), isDeleted: boolean() });
  assert(
    property(looks, ({ policy, phase, isHeld, isLeaving, isDeleted }) => {
      const seen = {
        metadata: {
          ...volume.metadata,
          ...(isHeld ? { finalizers: [volumeFinalizer] } : {}),
          ...(isLeaving ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
        },
        spec: { persistentVolumeReclaimPolicy: policy, csi: { driver: "d", volumeHandle: "h" } },
        status: { phase },
      };
      const volumes = { get: () => seen };
      const look = { now: new Date(0), reply: isDeleted ? { deletedUid: "u" } : undefined };
      const looked = observeEnding({ volumes } as unknown as Watches, "d", "pvc-1", look);
      if (isAtRest(seen)) equal(looked && decide(ending, looked).plan.do, "rest");
    }),
  );
});

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
