import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { boolean, constantFrom, record } from "fast-check";
import { tableTests } from "../../../test/fixture/table-kit.ts";
import type { OwnerReference } from "../../api/object.ts";
import { decide } from "../../runtime/table.ts";
import { published, type Step, wanted } from "./rules.ts";
import type { Answer, Capacity, Published, Wanted } from "./seen.ts";

const owner: OwnerReference = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  name: "csi",
  uid: "owner",
  controller: true,
};
const storageClass = {
  metadata: { name: "fast", uid: "class", resourceVersion: "1" },
  provisioner: "disk.example.com",
} as const;
const answer: Answer = { available: 1n << 30n, maximum: 5_000_000_000n, classUID: "class", wish: 0, at: 0 };

function anObject(more: Partial<Capacity> = {}, metadata: Partial<Capacity["metadata"]> = {}): Capacity {
  return {
    metadata: { name: "csisc-1", uid: "u", resourceVersion: "1", ownerReferences: [owner], ...metadata },
    storageClassName: "fast",
    nodeTopology: {},
    capacity: "1Gi",
    maximumVolumeSize: "5G",
    ...more,
  };
}

const { maximumVolumeSize: _, ...unlimited } = anObject();
const objects = {
  true: anObject(),
  "with other figures": anObject({ capacity: "1025Mi" }),
  "with another limit": anObject({ maximumVolumeSize: "6G" }),
  "without a limit": unlimited,
  "of somebody else": anObject({}, { ownerReferences: [{ ...owner, uid: "former" }] }),
  "of a former owner that is not its controller": anObject({}, { ownerReferences: [{ ...owner, controller: false }] }),
} as const;

const settled: Wanted = {
  is: "wanted",
  segments: { zone: "a" },
  storageClass,
  object: objects.true,
  owner,
  answer,
  goodForSeconds: 42,
  wish: 0,
};

tableTests({
  name: "wanted",
  table: wanted,
  states: record<Wanted>({
    is: constantFrom("wanted"),
    segments: constantFrom({ zone: "a" }),
    storageClass: constantFrom(storageClass),
    object: constantFrom(undefined, ...Object.values(objects)),
    owner: constantFrom(undefined, owner),
    answer: constantFrom(undefined, answer),
    goodForSeconds: constantFrom(42),
    wish: constantFrom(0),
  }),
});

tableTests({
  name: "published",
  table: published,
  states: record<Published>({
    is: constantFrom("published"),
    object: constantFrom(anObject(), anObject({}, { deletionTimestamp: "2026-01-01T00:00:00Z" })),
    isNeeded: boolean(),
  }),
});

const { maximum: __, ...withoutLimit } = answer;
const cases: readonly (readonly [says: string, seen: Partial<Wanted>, step: Step | "wait"])[] = [
  ["the driver is asked before anything is told", { answer: undefined, object: undefined }, "ask-driver"],
  ["the driver is asked again although an object is there", { answer: undefined }, "ask-driver"],
  ["what is not told is told", { object: undefined }, "create-object"],
  ["what is free counts", { object: objects["with other figures"] }, "update-object"],
  ["the limit counts", { object: objects["with another limit"] }, "update-object"],
  ["a limit that is new counts", { object: objects["without a limit"] }, "update-object"],
  ["a limit that is no more counts", { answer: withoutLimit }, "update-object"],
  ["that there is no limit is no news", { answer: withoutLimit, object: objects["without a limit"] }, "wait"],
  ["the owner counts", { object: objects["of somebody else"] }, "update-object"],
  [
    "an owner counts as controller",
    { object: objects["of a former owner that is not its controller"] },
    "update-object",
  ],
  ["without an owner anybody's will do", { owner: undefined, object: objects["of somebody else"] }, "wait"],
  ["sizes are the same however they are written", { object: anObject({ capacity: 1073741824 }) }, "wait"],
];
for (const [says, seen, step] of cases) {
  test(says, () => {
    const { plan } = decide(wanted, { ...settled, ...seen });
    deepEqual(plan.do === "step" ? plan.step : plan.do, step);
  });
}

test("what is true is looked at again when the answer is old", () => {
  deepEqual(decide(wanted, settled).plan, { do: "wait", why: "Settled", recheckSeconds: 42 });
});
