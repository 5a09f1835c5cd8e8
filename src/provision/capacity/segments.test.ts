import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { assert, bigInt, constantFrom, dictionary, property } from "fast-check";
import { isSameSize } from "../../api/quantity.ts";
import { quantityOf } from "../size.ts";
import { isTold, pairKey, pairOf, segmentOf, segmentsOfVolume } from "./segments.ts";

const driverName = "disk.example.com";
const node = { metadata: { name: "n1", labels: { zone: "a", rack: "1", other: "x" } } };
const on = (topologyKeys?: readonly string[]) => ({
  metadata: { name: "n1" },
  spec: { drivers: [{ name: driverName, ...(topologyKeys === undefined ? {} : { topologyKeys }) }] },
});

test("a node is where its labels say, as far as the driver asks for them", () => {
  deepEqual(segmentOf(driverName, node, on(["zone", "rack"])), { rack: "1", zone: "a" });
});

test("a driver without keys has all its nodes in one segment", () => {
  deepEqual(segmentOf(driverName, node, on([])), {});
  deepEqual(segmentOf(driverName, node, on()), {});
});

test("a node that is not labelled yet, not there, or without the driver is nowhere", () => {
  equal(segmentOf(driverName, node, on(["zone", "floor"])), undefined);
  equal(segmentOf(driverName, undefined, on(["zone"])), undefined);
  equal(segmentOf(driverName, node, undefined), undefined);
  equal(segmentOf("other.example.com", node, on(["zone"])), undefined);
});

test("an object is found again under what it was made for, and under nothing else", () => {
  const labels = dictionary(constantFrom("zone", "rack", "example.com/row"), constantFrom("", "a", "b-1"));
  const names = constantFrom("fast", "slow");
  const about = (storageClassName: string, matchLabels: Readonly<Record<string, string>>) =>
    pairOf({ metadata: {}, storageClassName, nodeTopology: { matchLabels } });
  assert(
    property(names, names, labels, labels, (one, other, here, there) => {
      equal(about(one, here), pairKey(one, here));
      const isSame = one === other && isDeepStrictEqual({ ...here }, { ...there });
      equal(about(one, here) === pairKey(other, there), isSame);
    }),
  );
});

test("an object that the server has stored without labels matches everything, one without topology nothing", () => {
  equal(pairOf({ metadata: {}, storageClassName: "fast", nodeTopology: {} }), pairKey("fast", {}));
  equal(pairOf({ metadata: {}, storageClassName: "fast" }), undefined);
  const matchExpressions = [{ key: "zone", operator: "Exists" }];
  equal(pairOf({ metadata: {}, storageClassName: "fast", nodeTopology: { matchExpressions } }), undefined);
});

const classes: readonly (readonly [
  says: string,
  mode: "Immediate" | "WaitForFirstConsumer" | undefined,
  all: boolean,
  isIt: boolean,
])[] = [
  ["a class that waits is told of", "WaitForFirstConsumer", false, true],
  ["a class that does not wait is not", "Immediate", false, false],
  ["a class that does not say is one that does not wait", undefined, false, false],
  ["a class that does not wait is told of if that is asked for", "Immediate", true, true],
];
for (const [says, volumeBindingMode, forImmediateBinding, isIt] of classes) {
  test(says, () => {
    const mode = volumeBindingMode === undefined ? {} : { volumeBindingMode };
    const of = (provisioner: string) =>
      isTold({ metadata: {}, provisioner, ...mode }, { driverName, forImmediateBinding });
    equal(of(driverName), isIt);
    equal(of("other.example.com"), false);
  });
}

test("a volume is where its affinity says, unless that is more than segments can say", () => {
  const inOne = (key: string, ...values: readonly string[]) => ({ key, operator: "In", values }) as const;
  const nodeSelectorTerms = [
    { matchExpressions: [inOne("zone", "a"), inOne("rack", "1")] },
    { matchExpressions: [inOne("zone", "a", "b")] },
    { matchExpressions: [{ key: "zone", operator: "Exists" } as const] },
    { matchFields: [inOne("metadata.name", "n1")] },
  ];
  deepEqual(segmentsOfVolume({ required: { nodeSelectorTerms } }), [{ zone: "a", rack: "1" }]);
  deepEqual(segmentsOfVolume(undefined), []);
});

test("a size is written in the largest unit, and none of it is lost", () => {
  deepEqual([0n, 1n, 1024n, 1536n, 5_000_000_000n, 3n << 30n, 1n << 62n].map(quantityOf), [
    "0",
    "1",
    "1Ki",
    "1536",
    "5000000000",
    "3Gi",
    "4Ei",
  ]);
  assert(
    property(bigInt({ min: 0n, max: (1n << 63n) - 1n }), (bytes) => {
      equal(isSameSize(quantityOf(bytes), String(bytes)), true);
    }),
  );
});
