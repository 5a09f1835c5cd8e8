import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { bigInt, assert as check, property } from "fast-check";
import { CreateVolumeResponseSchema, type VolumeSchema } from "../rpc/gen/csi_pb.js";
import type { Order } from "./order.ts";
import { bytesOf, mostBytes } from "./size.ts";
import { type VolumeVerdict, volumeOf } from "./volume-of.ts";

const golden = async (name: string) =>
  JSON.parse(await readFile(join(import.meta.dirname, "../../test/provision/golden", `${name}.json`), "utf8")) as Order;
const whole = await golden("order-v1");
const plain = await golden("order-v1-plain");

type Made = Exclude<MessageInitShape<typeof VolumeSchema>, { readonly $typeName: string }>;
const gib = 2n ** 30n;
const snapshotOf = (snapshotId: string): Made["contentSource"] => ({
  type: { case: "snapshot", value: { snapshotId } },
});

function answered(order: Order, made: Made): VolumeVerdict {
  return volumeOf(
    order,
    create(CreateVolumeResponseSchema, { volume: { volumeId: "vol-9", capacityBytes: gib, ...made } }),
  );
}

function written(order: Order, made: Made = {}) {
  const verdict = answered(order, made);
  ok(verdict.is === "volume", JSON.stringify(verdict));
  return verdict.volume;
}

test("the answer completes the volume that the order holds, and changes nothing else of it", () => {
  const volume = written(whole, {
    capacityBytes: gib + 1024n,
    volumeContext: { path: "/x" },
    contentSource: snapshotOf("snap-1"),
    accessibleTopology: [{ segments: { zone: "a", host: "n1" } }, { segments: { zone: "b" } }],
  });
  const { spec, ...rest } = whole.volume;
  const is = (key: string, value: string) => ({ key, operator: "In", values: [value] });
  deepEqual(volume, {
    ...rest,
    spec: {
      ...spec,
      capacity: { storage: "1048577Ki" },
      csi: {
        ...spec?.csi,
        volumeHandle: "vol-9",
        volumeAttributes: { ...spec?.csi?.volumeAttributes, path: "/x" },
      },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [is("host", "n1"), is("zone", "a")] },
            { matchExpressions: [is("zone", "b")] },
          ],
        },
      },
    },
  });
  equal(whole.volume.spec?.csi?.volumeHandle, "");
});

test("0 bytes mean that the driver does not know", () => {
  equal(written(plain, { capacityBytes: 0n }).spec?.capacity?.["storage"], "1Gi");
});

test("whatever size the driver gives is written as it is, or is too small", () => {
  check(
    property(bigInt({ min: 1n, max: mostBytes }), (capacityBytes) => {
      const verdict = answered(plain, { capacityBytes });
      equal(verdict.is, capacityBytes < gib ? "wrong" : "volume");
      if (verdict.is === "volume") equal(bytesOf(verdict.volume.spec?.capacity?.["storage"]), capacityBytes);
    }),
  );
});

test("the driver's own word counts more than our identity", () => {
  const key = "storage.kubernetes.io/csiProvisionerIdentity";
  equal(written(plain, { volumeContext: { [key]: "mine" } }).spec?.csi?.volumeAttributes?.[key], "mine");
  match(written(plain).spec?.csi?.volumeAttributes?.[key] ?? "", /hostpath/);
});

test("places restrict nothing when the driver does not know of them, or names none", () => {
  const accessibleTopology = [{ segments: { zone: "a" } }];
  equal("nodeAffinity" in (written(plain, { accessibleTopology }).spec ?? {}), false);
  const filled = { contentSource: snapshotOf("snap-1") };
  for (const nowhere of [[], [{}], [{ segments: {} }, {}]])
    equal("nodeAffinity" in (written(whole, { ...filled, accessibleTopology: nowhere }).spec ?? {}), false);
  const some = written(whole, { ...filled, accessibleTopology: [{}, ...accessibleTopology] });
  equal(some.spec?.nodeAffinity?.required?.nodeSelectorTerms.length, 1);
});

const wrong: readonly (readonly [says: string, Order, Made, because: RegExp, mayDelete: string | undefined])[] = [
  ["no id", plain, { volumeId: "" }, /gives it no id/, undefined],
  ["no id and too small", plain, { volumeId: "", capacityBytes: 1n }, /gives it no id/, undefined],
  [
    "too small by a byte",
    plain,
    { capacityBytes: gib - 1n },
    /1073741823 bytes, which is less than the 1073741824 bytes/,
    "vol-9",
  ],
  ["a size below nothing", plain, { capacityBytes: -1n }, /-1 bytes/, "vol-9"],
  ["no source", whole, {}, /does not say that it filled the volume/, "vol-9"],
  ["an empty source", whole, { contentSource: {} }, /does not say/, "vol-9"],
  ["another snapshot", whole, { contentSource: snapshotOf("snap-2") }, /with something else/, "vol-9"],
  [
    "a volume of the same name",
    whole,
    { contentSource: { type: { case: "volume", value: { volumeId: "snap-1" } } } },
    /with something else/,
    "vol-9",
  ],
];

for (const [says, order, made, because, mayDelete] of wrong) {
  test(`is wrong: ${says}`, () => {
    const verdict = answered(order, made);
    ok(verdict.is === "wrong");
    match(verdict.because, because);
    equal(verdict.mayDelete, mayDelete);
    equal("mayDelete" in verdict, mayDelete !== undefined);
  });
}

test("an answer without a volume is wrong", () => {
  equal(volumeOf(plain, create(CreateVolumeResponseSchema)).is, "wrong");
});

test("a source that nobody asked for is no fault", () => {
  equal(answered(plain, { contentSource: snapshotOf("snap-1") }).is, "volume");
});

test("handles go into the log and not into what the claim's owner reads", () => {
  const verdict = answered(whole, { contentSource: snapshotOf("snap-2") });
  ok(verdict.is === "wrong");
  equal(verdict.because.includes("snap-"), false);
  equal(verdict.detail, "it was asked for the snapshot snap-1 and tells of the snapshot snap-2");
  const silent = answered(whole, {});
  ok(silent.is === "wrong");
  equal(silent.detail, "it was asked for the snapshot snap-1 and tells of no source");
});
