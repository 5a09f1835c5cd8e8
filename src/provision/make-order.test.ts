import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { bigInt, assert as check, constantFrom, dictionary, property, record, string, subarray } from "fast-check";
import {
  aClaim,
  aClass,
  aDriver,
  driverName,
  everything,
  inputs,
  settings,
  uid,
  volumeName,
} from "../../test/provision/orders.ts";
import { CreateVolumeRequestSchema, VolumeCapability_AccessMode_Mode } from "../rpc/gen/csi_pb.js";
import type { ContentSource } from "./content-source.ts";
import { type OrderInputs, orderFor, requestOf } from "./make-order.ts";
import type { Order } from "./order.ts";
import { mostBytes } from "./size.ts";

const golden = async (name: string) =>
  JSON.parse(await readFile(join(import.meta.dirname, "../../test/provision/golden", `${name}.json`), "utf8")) as Order;

function ordered(of: OrderInputs): Order {
  const verdict = orderFor(of);
  ok(verdict.is === "order", JSON.stringify(verdict));
  return verdict.order;
}

const request = (more: Partial<OrderInputs> = {}) => requestOf(ordered(inputs(more)));
const volume = (more: Partial<OrderInputs> = {}) => ordered(inputs(more)).volume;

test("an order that was stored is still understood", async () => {
  const { SINGLE_NODE_MULTI_WRITER, SINGLE_NODE_WRITER } = VolumeCapability_AccessMode_Mode;
  const plain = {
    name: volumeName,
    capacityRange: { requiredBytes: 1_073_741_824n },
    volumeCapabilities: [{ accessType: { case: "mount", value: {} }, accessMode: { mode: SINGLE_NODE_WRITER } }],
  } as const;
  deepEqual(
    requestOf(await golden("order-v1-plain")),
    create(CreateVolumeRequestSchema, { ...plain, volumeCapabilities: [...plain.volumeCapabilities] }),
  );
  const [n1, n2] = ["n1", "n2"].map((node) => ({ segments: { "topology.hostpath.csi/node": node } }));
  ok(n1 && n2);
  const mount = { fsType: "xfs", mountFlags: ["noatime"] };
  const whole = create(CreateVolumeRequestSchema, {
    name: volumeName,
    capacityRange: { requiredBytes: 1_073_741_824n },
    volumeCapabilities: [
      { accessType: { case: "mount", value: mount }, accessMode: { mode: SINGLE_NODE_MULTI_WRITER } },
    ],
    parameters: {
      pool: "ssd",
      "csi.storage.k8s.io/pvc/name": "data",
      "csi.storage.k8s.io/pvc/namespace": "team-a",
      "csi.storage.k8s.io/pv/name": volumeName,
    },
    secrets: { password: "geheim" },
    volumeContentSource: { type: { case: "snapshot", value: { snapshotId: "snap-1" } } },
    accessibilityRequirements: { requisite: [n1, n2], preferred: [n2, n1] },
    mutableParameters: { iops: "4000" },
  });
  deepEqual(requestOf(await golden("order-v1"), { password: "geheim" }), whole);
});

test("and the same claim is ordered in the same words as then", async () => {
  deepEqual(JSON.parse(JSON.stringify(ordered(everything))), await golden("order-v1"));
  deepEqual(JSON.parse(JSON.stringify(ordered(inputs()))), await golden("order-v1-plain"));
});

test("an order says whose secret goes along, and never what it is", () => {
  const order = ordered(everything);
  deepEqual(order.secret, { name: "data-k1", namespace: "team-a" });
  const asked = requestOf(order, { password: "geheim" });
  equal(asked.secrets["password"], "geheim");
  equal(JSON.stringify(order).includes("geheim"), false);
  deepEqual(requestOf(order).secrets, {});
  equal("secret" in ordered(inputs()), false);
});

const segments = dictionary(
  string({ minLength: 1 }).filter((key) => key !== "__proto__"),
  string(),
  { maxKeys: 3 },
);
const arbitrary = record({
  bytes: bigInt({ min: 1n, max: mostBytes }),
  modes: subarray(["ReadWriteMany", "ReadOnlyMany", "ReadWriteOnce", "ReadWriteOncePod"] as const, { minLength: 1 }),
  volumeMode: constantFrom("Block", "Filesystem"),
  parameters: segments,
  segments,
  volumeId: string({ minLength: 1 }),
  secrets: dictionary(
    string({ minLength: 1 }).filter((key) => key !== "__proto__"),
    string({ minLength: 12 }),
    { minKeys: 1 },
  ),
});

test("an order that is stored and read asks for the same, to the last byte; a secret is in no order", () => {
  const driver = { ...aDriver("CLONE_VOLUME"), plugin: everything.driver.plugin };
  check(
    property(arbitrary, ({ bytes, modes, volumeMode, parameters, segments, volumeId, secrets }) => {
      const claim = aClaim({ accessModes: modes, volumeMode, resources: { requests: { storage: String(bytes) } } });
      const own = Object.fromEntries(Object.entries(parameters).filter(([key]) => key.toLowerCase() !== "fstype"));
      const order = ordered(
        inputs({
          claim,
          driver,
          storageClass: aClass({ parameters: own }),
          topology: { requisite: [segments], preferred: [segments] },
          content: { is: "source", source: { volumeId } },
        }),
      );
      const stored = JSON.parse(JSON.stringify(order)) as Order;
      deepEqual(stored, order);
      const asked = requestOf(stored, secrets);
      deepEqual(fromBinary(CreateVolumeRequestSchema, toBinary(CreateVolumeRequestSchema, asked)), asked);
      equal(asked.capacityRange?.requiredBytes, bytes);
      deepEqual({ ...asked.parameters }, own);
      deepEqual(asked.volumeContentSource?.type, requestOf(order).volumeContentSource?.type);
      equal(asked.volumeCapabilities.length, modes.length);
      for (const secret of Object.values(secrets)) equal(JSON.stringify(order).includes(JSON.stringify(secret)), false);
    }),
  );
});

test("a part of a byte is asked for as a whole one, and 2^53 is no border", () => {
  const asking = (storage: string) =>
    request({ claim: aClaim({ resources: { requests: { storage } } }) }).capacityRange;
  equal(asking("1500m")?.requiredBytes, 2n);
  equal(asking("9007199254740993")?.requiredBytes, 9_007_199_254_740_993n);
  equal(asking("1Gi")?.limitBytes, 0n);
});

test("the driver hears of a place only when it knows of places", () => {
  const topology = { requisite: [{ zone: "a" }], preferred: [{ zone: "a" }] };
  equal(request({ topology }).accessibilityRequirements, undefined);
  const { driver } = everything;
  deepEqual(requestOf(ordered(inputs({ topology, driver }))).accessibilityRequirements?.requisite[0]?.segments, {
    zone: "a",
  });
  equal(ordered(inputs({ driver })).hasTopology, true);
  equal("hasTopology" in ordered(inputs({ topology })), false);
});

test("a block device has no file system, in the order and on the volume", () => {
  const of = { claim: aClaim({ volumeMode: "Block" }), settings: { ...settings, defaultFsType: "ext4" } };
  deepEqual(request(of).volumeCapabilities[0]?.accessType.case, "block");
  equal(volume(of).spec?.csi?.fsType, undefined);
  equal(volume({ settings: of.settings }).spec?.csi?.fsType, "ext4");
});

test("a volume is read-only when the flag is set and nothing but reading is asked for", () => {
  const flag = { settings: { ...settings, controllerPublishReadOnly: true } };
  const readers = aClaim({ accessModes: ["ReadOnlyMany"] });
  equal(volume({ ...flag, claim: readers }).spec?.csi?.readOnly, true);
  equal(
    volume({ ...flag, claim: aClaim({ accessModes: ["ReadOnlyMany", "ReadWriteOnce"] }) }).spec?.csi?.readOnly,
    undefined,
  );
  equal(volume({ ...flag }).spec?.csi?.readOnly, undefined);
  equal(volume({ claim: readers }).spec?.csi?.readOnly, undefined);
});

test("the volume keeps what the class says and leaves out what it does not", () => {
  equal(volume({ storageClass: aClass({ reclaimPolicy: "Retain" }) }).spec?.persistentVolumeReclaimPolicy, "Retain");
  equal(volume({ claim: aClaim({ volumeAttributesClassName: "" }) }).spec?.volumeAttributesClassName, undefined);
  equal("mountOptions" in (volume().spec ?? {}), false);
  equal(volume().metadata.name, `pvc-${uid}`);
  const short = { settings: { ...settings, volumeNamePrefix: "fast", volumeNameUuidLength: 4 } };
  deepEqual([volume(short).metadata.name, request(short).name], ["fast-0d2f", "fast-0d2f"]);
});

const snapshot = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "monday" };
const restoring = aClaim({ dataSource: snapshot });
const cloning = aClaim({ dataSource: { kind: "PersistentVolumeClaim", name: "old" } });
const populated = aClaim({ dataSourceRef: { apiGroup: "example.com", kind: "Backup", name: "b" } });
const gold = aClaim({ volumeAttributesClassName: "gold" });
const unknown = aClass({ parameters: { "csi.storage.k8s.io/x": "y" } });
const half = aClass({ parameters: { "csi.storage.k8s.io/secret-name": "one", "csi.storage.k8s.io/x": "y" } });
const content = (source: ContentSource) => ({ is: "source", source }) as const;
const modifying = aDriver("MODIFY_VOLUME");
const strangerClass = { metadata: { name: "gold" }, driverName: "other.example.com" };

const refusals: readonly (readonly [says: string, more: Partial<OrderInputs>, because: RegExp])[] = [
  [
    "no controller",
    { driver: { ...aDriver(), plugin: new Set() } },
    /cannot make volumes on demand: it does not report CONTROLLER_SERVICE/,
  ],
  ["no volumes", { driver: { ...aDriver(), capabilities: new Set() } }, /it does not report CREATE_DELETE_VOLUME/],
  ["no snapshots", { claim: restoring }, /cannot restore snapshots: it does not report CREATE_DELETE_SNAPSHOT/],
  ["no snapshots, by another door", { content: content({ snapshotId: "s" }) }, /CREATE_DELETE_SNAPSHOT/],
  ["no clones", { claim: cloning }, /cannot clone volumes: it does not report CLONE_VOLUME/],
  ["no clones, by another door", { content: content({ volumeId: "v" }) }, /CLONE_VOLUME/],
  ["no changes", { claim: gold }, /does not report MODIFY_VOLUME/],
  ["a selector", { claim: aClaim({ selector: {} }) }, /selector/],
  ["a volume name that is none", { settings: { ...settings, volumeNamePrefix: "PVC" } }, /--volume-name-prefix/],
  ["two file systems", { storageClass: aClass({ parameters: { fstype: "a", FsType: "b" } }) }, /more than once/],
  ["a size that is none", { claim: aClaim({ resources: {} }) }, /size "" cannot be read/],
  ["more than there is", { claim: aClaim({ resources: { requests: { storage: "8Ei" } } }) }, /as much as 8Ei/],
  [
    "a source that was not looked up",
    { claim: restoring, driver: aDriver("CREATE_DELETE_SNAPSHOT") },
    /data of VolumeSnapshot monday.*no empty volume/,
  ],
  ["a source that others fill", { claim: populated }, /data of Backup b.*no empty volume/],
  [
    "a source that was refused",
    {
      claim: restoring,
      driver: aDriver("CREATE_DELETE_SNAPSHOT"),
      content: { is: "refused", because: "it is not ready" },
    },
    /^it is not ready$/,
  ],
  ["half of a secret, before an unknown key", { storageClass: half }, /only half of a secret/],
  ["an unknown key", { storageClass: unknown }, /unknown parameter key "csi\.storage\.k8s\.io\/x"/],
  ["attributes that are not there", { claim: gold, driver: modifying }, /VolumeAttributesClass gold is not there/],
  [
    "attributes of another driver",
    { claim: gold, driver: modifying, attributes: strangerClass },
    /is for the driver other\.example\.com, and the claim's class for hostpath/,
  ],
];

for (const [says, more, because] of refusals) {
  test(`is refused: ${says}`, () => {
    const verdict = orderFor(inputs(more));
    ok(verdict.is === "refused", JSON.stringify(verdict));
    match(verdict.because, because);
  });
}

test("the first fault is the one that is told", () => {
  const faulty = aClaim({ selector: {}, volumeAttributesClassName: "gold", resources: {} });
  const steps: readonly (readonly [Partial<OrderInputs>, RegExp])[] = [
    [{ claim: faulty, storageClass: unknown }, /MODIFY_VOLUME/],
    [{ claim: faulty, storageClass: unknown, driver: modifying }, /selector/],
    [{ claim: { ...faulty, spec: gold.spec }, storageClass: unknown, driver: modifying }, /unknown parameter/],
    [{ claim: gold, driver: modifying }, /gold is not there/],
  ];
  for (const [more, because] of steps) {
    const verdict = orderFor(inputs(more));
    ok(verdict.is === "refused");
    match(verdict.because, because);
  }
});

test("the attributes of the class become parameters that may change, and its name goes onto the volume", () => {
  const attributes = { metadata: { name: "gold" }, driverName, parameters: { iops: "1" } };
  const of = { claim: gold, driver: modifying, attributes };
  deepEqual({ ...request(of).mutableParameters }, { iops: "1" });
  equal(volume(of).spec?.volumeAttributesClassName, "gold");
});

test("what was found by another door fills the volume of a claim that others would fill", () => {
  const of = { claim: populated, driver: aDriver("CREATE_DELETE_SNAPSHOT"), content: content({ snapshotId: "s" }) };
  equal(request(of).volumeContentSource?.type.case, "snapshot");
});
