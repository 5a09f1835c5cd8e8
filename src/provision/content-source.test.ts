import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { aClaim, aClass, driverName } from "../../test/provision/orders.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../api/gen/core.ts";
import type { VolumeSnapshot, VolumeSnapshotContent } from "../api/gen/snapshot.ts";
import { type ContentVerdict, cloneSourceOf, snapshotSourceOf } from "./content-source.ts";
import { snapshotFinalizer } from "./names.ts";

const storageClass = aClass();
const identity = { namespace: "team-b", name: "old", uid: "u-old" };
const going = { deletionTimestamp: "2026-01-01T00:00:00Z" };

function aSource(spec: PersistentVolumeClaim["spec"] = {}, more: Partial<PersistentVolumeClaim> = {}) {
  return {
    metadata: identity,
    spec: {
      storageClassName: "slow",
      resources: { requests: { storage: "1Gi" } },
      volumeName: "pv-old",
      ...spec,
    },
    status: { phase: "Bound" },
    ...more,
  } satisfies PersistentVolumeClaim;
}

function aVolume(spec: PersistentVolume["spec"] = {}, more: Partial<PersistentVolume> = {}) {
  return {
    metadata: { name: "pv-old" },
    spec: { csi: { driver: driverName, volumeHandle: "vol-1" }, claimRef: identity, volumeMode: "Filesystem", ...spec },
    status: { phase: "Bound" },
    ...more,
  } satisfies PersistentVolume;
}

function without<T extends object>(whole: T, ...members: readonly (keyof T)[]): T {
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !members.some((one) => one === key))) as T;
}

const clone = (claim: PersistentVolumeClaim, source?: PersistentVolumeClaim, volume?: PersistentVolume) =>
  cloneSourceOf({ claim, storageClass, source: { name: "old" } }, { claim: source, volume });

test("a bound claim of the same driver can be cloned, also into another class and a bigger volume", () => {
  const bigger = aClaim({ resources: { requests: { storage: "2Gi" } } });
  for (const claim of [aClaim(), bigger])
    deepEqual(clone(claim, aSource(), aVolume()), { is: "source", source: { volumeId: "vol-1" } });
});

test("a volume whose mode is not written is a file system", () => {
  const volume = aVolume();
  equal(clone(aClaim(), aSource(), { ...volume, spec: without(volume.spec, "volumeMode") }).is, "source");
  equal(clone(aClaim({ volumeMode: "Block" }), aSource(), aVolume({ volumeMode: "Block" })).is, "source");
});

function because(verdict: ContentVerdict): readonly [because: string, detail: string] {
  ok(verdict.is === "refused", JSON.stringify(verdict));
  return [verdict.because, verdict.detail ?? ""];
}

const noPhase = { status: {} };
const noClass = without(aSource().spec, "storageClassName");
const claimChecks: readonly (readonly [
  says: string,
  PersistentVolumeClaim,
  PersistentVolumeClaim | undefined,
  RegExp,
])[] = [
  ["it is not there", aClaim(), undefined, /^the source claim old is not there/],
  [
    "it is not bound",
    aClaim(),
    aSource({}, { status: { phase: "Pending" }, metadata: { ...identity, ...going } }),
    /must be Bound and is Pending/,
  ],
  ["nobody has looked at it", aClaim(), aSource({}, noPhase), /must be Bound and is new/],
  ["it is going", aClaim(), { ...aSource(), spec: noClass, metadata: { ...identity, ...going } }, /being deleted/],
  [
    "it has no class",
    { ...aClaim(), spec: without(aClaim().spec, "storageClassName") },
    { ...aSource(), spec: noClass },
    /source claim old has no class/,
  ],
  [
    "the new claim has no class",
    { ...aClaim(), spec: { resources: { requests: { storage: "1Mi" } } } },
    aSource(),
    /claim without a class/,
  ],
  [
    "the new claim is smaller",
    aClaim({ resources: { requests: { storage: "1073741823" } } }),
    aSource({ volumeName: "" }),
    /old has 1073741824 bytes, and the claim asks for 1073741823$/,
  ],
  ["it names no volume", aClaim(), aSource({ volumeName: "" }), /names no volume/],
];

for (const [says, claim, source, why] of claimChecks) {
  test(`a claim is not cloned when ${says}`, () => match(because(clone(claim, source))[0], why));
}

const volumeChecks: readonly (readonly [says: string, PersistentVolume | undefined, detail: RegExp])[] = [
  ["it is not there", undefined, /is not there$/],
  ["it is no CSI volume", { ...aVolume(), spec: without(aVolume().spec, "csi") }, /not a CSI volume$/],
  [
    "it is another driver's",
    aVolume({ csi: { driver: "other.example.com", volumeHandle: "vol-1" } }),
    /driver other\.example\.com/,
  ],
  ["it is nobody's", { ...aVolume(), spec: without(aVolume().spec, "claimRef") }, /not bound to it$/],
  ["it is another claim's", aVolume({ claimRef: { ...identity, uid: "u-other" } }), /not bound to it$/],
  ["it is another name's", aVolume({ claimRef: { ...identity, name: "other" } }), /not bound to it$/],
  ["it is another namespace's", aVolume({ claimRef: { ...identity, namespace: "team-c" } }), /not bound to it$/],
  [
    "it is not bound",
    aVolume({ volumeMode: "Block" }, { status: { phase: "Released" } }),
    /must be Bound and is Released$/,
  ],
];

test("a volume that may be a stranger's is refused with the same words, whatever is wrong with it", () => {
  const said = volumeChecks.map(([, volume]) => because(clone(aClaim(), aSource(), volume))[0]);
  deepEqual(new Set(said).size, 1);
  match(said[0] ?? "", /^the source claim old is not bound, or its volume cannot be cloned/);
});

for (const [says, volume, detail] of volumeChecks) {
  test(`a volume is not cloned when ${says}, and the log says why`, () => {
    match(because(clone(aClaim(), aSource(), volume))[1], detail);
  });
}

test("a clone has the volume mode of its source", () => {
  const blocks = because(clone(aClaim(), aSource(), aVolume({ volumeMode: "Block" })))[0];
  match(blocks, /old is Block, and the claim asks for Filesystem$/);
  const files = because(clone(aClaim({ volumeMode: "Block" }), aSource(), aVolume()))[0];
  match(files, /old is Filesystem, and the claim asks for Block$/);
});

const snapshotIdentity = { namespace: "team-b", name: "monday", uid: "u-monday" };
const allow = "snapshot.storage.kubernetes.io/allow-volume-mode-change";

function aSnapshot(status: VolumeSnapshot["status"] = {}, metadata: VolumeSnapshot["metadata"] = {}): VolumeSnapshot {
  return {
    metadata: { ...snapshotIdentity, ...metadata },
    spec: { source: { persistentVolumeClaimName: "old" } },
    status: { boundVolumeSnapshotContentName: "content-1", readyToUse: true, restoreSize: "1Gi", ...status },
  };
}

function aContent(
  spec: Partial<VolumeSnapshotContent["spec"]> = {},
  more: Partial<VolumeSnapshotContent> = {},
): VolumeSnapshotContent {
  return {
    metadata: { name: "content-1" },
    spec: { deletionPolicy: "Delete", driver: driverName, source: {}, volumeSnapshotRef: snapshotIdentity, ...spec },
    status: { snapshotHandle: "snap-1" },
    ...more,
  };
}

function restore(
  snapshot: VolumeSnapshot | undefined,
  content: VolumeSnapshotContent | undefined = aContent(),
  {
    claim = aClaim(),
    preventVolumeModeConversion = true,
  }: { claim?: PersistentVolumeClaim; preventVolumeModeConversion?: boolean } = {},
): ContentVerdict {
  const wanted = { claim, storageClass, source: { name: "monday" }, preventVolumeModeConversion };
  return snapshotSourceOf(wanted, { snapshot, content });
}

const restored: ContentVerdict = { is: "source", source: { snapshotId: "snap-1" } };

test("a ready snapshot of the same driver can be restored, also into a bigger volume", () => {
  deepEqual(restore(aSnapshot()), restored);
  deepEqual(restore(aSnapshot({ restoreSize: 1 })), restored);
  deepEqual(restore({ ...aSnapshot(), status: without(aSnapshot().status ?? {}, "restoreSize") }), restored);
});

test("a restore that was begun goes on when the snapshot is deleted", () => {
  const held = { ...going, finalizers: ["other", snapshotFinalizer] };
  deepEqual(restore(aSnapshot({}, held)), restored);
  match(because(restore(aSnapshot({}, { ...going, finalizers: ["other"] })))[0], /monday is being deleted/);
  match(because(restore(aSnapshot({ boundVolumeSnapshotContentName: "" }, going)))[0], /monday is being deleted/);
});

const contentChecks: readonly (readonly [says: string, VolumeSnapshot, VolumeSnapshotContent | undefined, RegExp])[] = [
  ["it names no content", { ...aSnapshot(), status: { readyToUse: true } }, aContent(), /names no content$/],
  ["nobody has looked at it", without(aSnapshot(), "status"), aContent(), /names no content$/],
  ["its content is not there", aSnapshot(), undefined, /content-1 .* is not there$/],
  [
    "its content is another one's",
    aSnapshot(),
    aContent({ volumeSnapshotRef: { ...snapshotIdentity, uid: "u" } }),
    /bound to another snapshot$/,
  ],
  [
    "its content is another name's",
    aSnapshot(),
    aContent({ volumeSnapshotRef: { ...snapshotIdentity, name: "x" } }),
    /bound to another snapshot$/,
  ],
  [
    "its content is another driver's",
    aSnapshot({ readyToUse: false }),
    aContent({ driver: "other.example.com" }),
    /driver other\.example\.com/,
  ],
];

for (const [says, snapshot, content, why] of contentChecks) {
  test(`a snapshot is not restored when ${says}: its owner hears the same, the log hears why`, () => {
    const verdict = snapshotSourceOf(
      { claim: aClaim(), storageClass, source: { name: "monday" }, preventVolumeModeConversion: true },
      { snapshot, content },
    );
    const [told, detail] = because(verdict);
    equal(told, "the snapshot monday is not bound to a snapshot of this class's driver: wait until it is ready");
    match(detail, why);
  });
}

test("a snapshot is not restored before it is there, ready, and known by a handle", () => {
  match(because(restore(undefined))[0], /^the snapshot monday is not there/);
  match(because(restore(aSnapshot({ readyToUse: false }), aContent({}, { status: {} })))[0], /is not ready/);
  match(
    because(restore({ ...aSnapshot(), status: { boundVolumeSnapshotContentName: "content-1" } }))[0],
    /is not ready/,
  );
  match(because(restore(aSnapshot({ restoreSize: "2Gi" }), aContent({}, { status: {} })))[0], /has no handle yet/);
  match(because(restore(aSnapshot(), without(aContent(), "status")))[0], /has no handle yet/);
});

test("a snapshot is not restored into less than it holds", () => {
  const verdict = restore(aSnapshot({ restoreSize: "1073741825" }), aContent({ sourceVolumeMode: "Block" }));
  match(
    because(verdict)[0],
    /asks for 1073741824 bytes, which is less than the 1073741825 bytes of the snapshot monday/,
  );
});

const annotated = (value: string) =>
  aContent({ sourceVolumeMode: "Block" }, { metadata: { name: "content-1", annotations: { [allow]: value } } });

test("a volume mode is changed only when an admin allows it on the content", () => {
  const why =
    /volume mode Filesystem, and the snapshot was taken of Block: .*allow-volume-mode-change: "true" on the VolumeSnapshotContent content-1$/;
  match(because(restore(aSnapshot(), aContent({ sourceVolumeMode: "Block" })))[0], why);
  for (const no of ["false", "0", "", "yes", "tRUE"]) match(because(restore(aSnapshot(), annotated(no)))[0], why);
  for (const yes of ["true", "True", "TRUE", "t", "T", "1"]) deepEqual(restore(aSnapshot(), annotated(yes)), restored);
});

test("a volume mode is not looked at when it stays, is not known, or the flag says so", () => {
  deepEqual(restore(aSnapshot(), aContent({ sourceVolumeMode: "Filesystem" })), restored);
  deepEqual(restore(aSnapshot(), aContent(), { claim: aClaim({ volumeMode: "Block" }) }), restored);
  const lenient = { preventVolumeModeConversion: false };
  deepEqual(restore(aSnapshot(), aContent({ sourceVolumeMode: "Block" }), lenient), restored);
});
