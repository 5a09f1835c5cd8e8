import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { test } from "node:test";
import { constantFrom } from "fast-check";
import { tableTests } from "../../../test/fixture/table-kit.ts";
import { type Facts, reserved, seenOf, seenSample } from "../../../test/transfer/policies.ts";
import { aClaim, aJournal, aVolume, byPolicy, theRequest, theSource } from "../../../test/transfer/worlds.ts";
import type { KubeObject, Resource, Stored } from "../../api/object.ts";
import type { Operation } from "../../kube/json-patch.ts";
import type { Hand } from "../../runtime/hand.ts";
import { Overtaken } from "../../runtime/must.ts";
import { decide } from "../../runtime/table.ts";
import { standing } from "./rules.ts";
import { actOnPolicy } from "./steps.ts";

const everything = seenSample(5000);

tableTests({ name: "standing", table: standing, states: constantFrom(...everything.map(([, seen]) => seen)) });

const returned = everything.filter(([, seen]) => decide(standing, seen).plan.do === "step");

function neverReturned(says: string, isWrong: (facts: Facts) => boolean): void {
  test(says, () => {
    ok(returned.length > 100);
    deepEqual(
      returned.map(([facts]) => facts).find((facts) => isWrong(facts)),
      undefined,
    );
  });
}

/** The transfer was undone, or the source went another way. */
const proofs: readonly Facts["journal"][] = ["rolled back", "another's, complete", "of another policy"];

neverReturned("a use is never returned while its transfer is under way", ({ journal }) => journal.startsWith("open"));
neverReturned("a use by which a volume was handed over or lost is never returned", ({ journal }) => {
  return journal === "complete" || journal === "orphaned";
});
neverReturned("a use whose source is gone is returned only on the word of a journal", ({ source, journal }) => {
  return source !== "there" && !proofs.includes(journal);
});
neverReturned("a use that a request waits for is returned only on the word of a journal", ({ request, journal }) => {
  return request === "open" && !proofs.includes(journal);
});

const cases: readonly (readonly [says: string, facts: Partial<Facts>, row: string])[] = [
  ["a use waits for its transfer", {}, "it can be used"],
  ["a use of a request that is gone comes back", { request: "gone" }, "a use has handed nothing over"],
  ["a use of a request that has failed comes back", { request: "ended" }, "a use has handed nothing over"],
  [
    "a namesake of the request does not wait for it",
    { request: "another of the name" },
    "a use has handed nothing over",
  ],
  [
    "a use whose source is gone too may have been good for something",
    { request: "gone", source: "gone" },
    "it can be used",
  ],
  ["what is undone comes back", { journal: "rolled back" }, "a use has handed nothing over"],
  [
    "a use that was reserved again is not that of the transfer before",
    { journal: "rolled back by an earlier use" },
    "it can be used",
  ],
  [
    "a source that went to another uses nothing up",
    { journal: "another's, complete", source: "gone" },
    "a use has handed nothing over",
  ],
  [
    "what is complete stays used when its request goes",
    { journal: "complete", request: "gone", source: "gone" },
    "it can be used",
  ],
  ["all uses are taken", { count: "none left" }, "all its uses are taken"],
  ["its time is over", { until: "passed", count: "none left" }, "its time is over"],
];

for (const [says, facts, row] of cases)
  test(says, () => equal(decide(standing, seenOf({ ...reserved, ...facts })).row, row));

type Objects = Readonly<Record<string, Stored<KubeObject>>>;

async function returnOn(live: Objects, facts: Partial<Facts>): Promise<readonly Operation[]> {
  let sent: readonly Operation[] = [];
  const find = async ({ plural }: Resource, { name }: { readonly name: string }) => live[`${plural}/${name}`];
  const patch = async (_: Resource, __: unknown, operations: readonly Operation[]) => void (sent = operations);
  const hand = { live: { find }, patch, tell: () => undefined };
  await actOnPolicy("return-uses", seenOf({ ...reserved, ...facts }), hand as object as Hand);
  return sent;
}

const source = { "persistentvolumeclaims/foo": aClaim(theSource) };
const request = { "storagetransferrequests/ask": theRequest() };
const onItsWay = { "persistentvolumes/disk": aVolume({ journal: aJournal(byPolicy) }) };

const overtaken: readonly (readonly [says: string, live: Objects])[] = [
  ["the request is there after all", { ...source, ...request }],
  ["the source is gone", {}],
  ["the volume is on its way", { ...source, ...onItsWay }],
];

for (const [says, live] of overtaken)
  test(`a use is not returned when ${says}, whatever the caches say`, async () => {
    await rejects(returnOn(live, { request: "gone" }), Overtaken);
  });

test("a use is returned only while the policy is as it was seen, and the others stay", async () => {
  for (const [live, facts] of [
    [source, { request: "gone" }],
    [{ ...source, ...request }, { journal: "rolled back" }],
  ] as const) {
    const operations = await returnOn(live, facts);
    deepEqual(operations.slice(0, 2), [
      { op: "test", path: "/metadata/uid", value: "policy-uid" },
      { op: "test", path: "/metadata/resourceVersion", value: "1" },
    ]);
    const set = operations.find(({ path }) => path === "/status");
    deepEqual(set !== undefined && "value" in set && (set.value as { readonly uses: unknown }).uses, []);
  }
});
