import { deepEqual, equal, notEqual } from "node:assert/strict";
import { test } from "node:test";
import { ableDriver, aContent, begun, conditions, leaving, now } from "../../../test/fixture/bucket-seen.ts";
import { keyOf as placeOf, storeOf } from "../../kube/cache/store.ts";
import type { Content } from "../content.ts";
import { circumstancesOf, keyOf, observe } from "./seen.ts";

const fail = (problem: unknown): never => {
  throw problem;
};

function looked(content: Content, reply?: unknown) {
  const contents = storeOf<Content>({}, fail);
  contents.replace(new Map([[placeOf(content), content]]), "1");
  const eyes = { contents, driver: ableDriver, isRegistered: () => true, era: () => 3 };
  return observe(eyes, keyOf(content), { now, reply });
}

test("a content of this driver is seen, with what was done for it so far", () => {
  const content = aContent();
  deepEqual(looked(content, { hasBegun: true }), {
    content,
    driver: ableDriver,
    isRegistered: true,
    progress: { hasBegun: true },
    era: 3,
    now,
  });
});

const unseen: readonly (readonly [says: string, content: Content])[] = [
  ["another driver", aContent({ spec: { provisioner: "other.example.com" } })],
  ["no driver", aContent({ mode: "Static" })],
  [
    "another driver, when it goes",
    aContent({ spec: { provisioner: "other.example.com" }, metadata: leaving, status: begun }),
  ],
];

for (const [says, content] of unseen)
  test(`a content of ${says} is not even looked at, whatever the server shows`, () =>
    equal(looked(content), undefined));

test("a content that nothing holds could be gone at any moment, and is not looked at", () => {
  equal(looked(aContent({ metadata: { finalizers: ["somebody.else/hold"] } })), undefined);
});

test("a driver that is back, a content that has changed and an end are other circumstances", () => {
  const content = aContent({ status: begun });
  const first = circumstancesOf({ content, era: 0 });
  equal(circumstancesOf({ content: aContent({ status: begun, metadata: { resourceVersion: "99" } }), era: 0 }), first);
  notEqual(circumstancesOf({ content, era: 1 }), first);
  notEqual(circumstancesOf({ content: aContent({ status: begun, metadata: { generation: 2 } }), era: 0 }), first);
  const status = { ...begun, conditions: [...begun.conditions, ...conditions({ BucketLeaving: true })] };
  notEqual(circumstancesOf({ content: aContent({ status, metadata: leaving }), era: 0 }), first);
});
