import { deepEqual, ok } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../../src/api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../../src/api/gen/transfer.ts";
import type { KubeObject, Resource, Stored } from "../../../src/api/object.ts";
import { versionOf } from "../../faults/monitor/follow-resource.ts";
import { type Version, violationsOf } from "../../faults/monitor/version.ts";
import type { WriteRecord } from "../../faults/proxy/write-record.ts";
import {
  aClaim,
  aJournal,
  aVolume,
  endedAs,
  marked,
  theApproval,
  theRequest,
  theSource,
  theTarget,
} from "../worlds.ts";
import { stateRules } from "./oracles.ts";
import { orderRules, targetFirst } from "./order-rules.ts";

const pointed = { target: { ...aJournal().target, uid: theTarget.uid } };
const v = (resource: Resource, object: Stored<KubeObject>) => versionOf(resource, "MODIFIED", object);
const volume = (about: Parameters<typeof aVolume>[0]) => v(persistentVolumes, aVolume(about));

/** Every version of a transfer as it should be, in its order. */
const asItShouldBe: readonly Version[] = [
  v(storageTransferRequests, theRequest()),
  v(storageTransferApprovals, theApproval()),
  volume({ policy: "Delete" }),
  v(persistentVolumeClaims, aClaim(theSource)),
  volume({ journal: aJournal() }),
  v(persistentVolumeClaims, aClaim({ ...theTarget, ...marked }, {}, "Pending")),
  versionOf(persistentVolumeClaims, "DELETED", aClaim(theSource)),
  volume({ journal: aJournal(), phase: "Released" }),
  volume({ journal: aJournal(pointed), claimUid: theTarget.uid, phase: "Bound" }),
  v(persistentVolumeClaims, aClaim({ ...theTarget, ...marked })),
  volume({ journal: aJournal({ ...pointed, ...endedAs("complete") }), claimUid: theTarget.uid, policy: "Delete" }),
];

function brokenBy(versions: readonly Version[]): readonly string[] {
  const broken = versions.flatMap((one, index) => violationsOf(one, versions.slice(0, index), stateRules));
  return [...new Set(broken.map(({ rule }) => rule.id))].sort();
}

const instead = (index: number, ...others: readonly Version[]) => asItShouldBe.toSpliced(index, 1, ...others);

test("a transfer as it should be breaks no rule", () => deepEqual(brokenBy(asItShouldBe), []));

const broken: readonly (readonly [says: string, versions: readonly Version[], rules: readonly string[]])[] = [
  [
    "the lock does not retain, and the volume is released",
    instead(4, volume({ journal: aJournal(), policy: "Delete" })).with(
      7,
      volume({ journal: aJournal(), policy: "Delete", phase: "Released" }),
    ),
    ["G1", "T5"],
  ],
  ["it points at nobody", instead(7, v(persistentVolumes, pointless())), ["T2"]],
  ["it points at a stranger", instead(8, volume({ journal: aJournal(pointed), claimUid: "stranger-uid" })), ["T2"]],
  [
    "two claims are bound to it",
    [...asItShouldBe, v(persistentVolumeClaims, aClaim({ ...theSource, uid: "new" }))],
    ["T2"],
  ],
  ["nobody has approved it", asItShouldBe.toSpliced(1, 1), ["T4"]],
  ["another request was approved", instead(1, v(storageTransferApprovals, otherApproval())), ["T4"]],
  [
    "the policy comes back before the target is bound",
    instead(
      8,
      volume({
        journal: aJournal({ ...pointed, ...endedAs("complete") }),
        claimUid: theTarget.uid,
        policy: "Delete",
        phase: "Released",
      }),
    ),
    ["T5"],
  ],
  [
    "the policy does not come back",
    instead(10, volume({ journal: aJournal({ ...pointed, ...endedAs("complete") }), claimUid: theTarget.uid })),
    ["T5"],
  ],
  [
    "it is said to have gone back, and has not",
    instead(
      10,
      volume({
        journal: aJournal({ ...pointed, ...endedAs("rolled-back") }),
        claimUid: theTarget.uid,
        policy: "Delete",
      }),
    ),
    ["T5"],
  ],
  ["the approval hands over another volume", [...asItShouldBe, v(persistentVolumes, anotherVolume())], ["T6"]],
];

for (const [says, versions, rules] of broken)
  test(`it is noticed when ${says}`, () => deepEqual(brokenBy(versions), rules));

function pointless() {
  const found = aVolume({ journal: aJournal(), phase: "Available" });
  const { claimRef: _, ...spec } = found.spec ?? {};
  return { ...found, spec };
}

function otherApproval() {
  const approval = theApproval();
  return { ...approval, spec: { ...approval.spec, requestName: "another" } };
}

function anotherVolume() {
  const journal = aJournal({
    ...pointed,
    ...endedAs("complete"),
    volumeUID: "second-uid",
    target: { ...pointed.target, uid: "second" },
  });
  return aVolume({ journal, uid: "second-uid", name: "second", claimUid: "second" });
}

const lock = {
  verb: "patch",
  resource: "persistentvolumes",
  code: 200,
  body: [{ path: "/metadata/annotations/transfer.portway.dev~1journal" }, { value: "Retain" }],
};
const fence = {
  verb: "delete",
  resource: "persistentvolumeclaims",
  code: 200,
  preconditions: { uid: "u", resourceVersion: "1" },
};
const consume = {
  verb: "patch",
  resource: "storagetransferapprovals",
  code: 200,
  body: [{ value: { consumed: true } }],
};
const told = { verb: "patch", resource: "storagetransferrequests", code: 200, body: [{ value: { complete: true } }] };

function brokenOrder(...writes: readonly object[]): readonly string[] {
  const log = writes.map((write, index) => ({
    n: index + 1,
    preconditions: {},
    ...write,
  })) as readonly object[] as readonly WriteRecord[];
  return [...orderRules, targetFirst].filter((rule) => rule.broken(log).length > 0).map(({ says }) => says);
}

test("the order of the writes is judged by itself, whatever was stored", () => {
  const reserve = { verb: "create", resource: "persistentvolumeclaims", code: 201 };
  deepEqual(brokenOrder(lock, reserve, fence, consume, told), []);
  ok(brokenOrder(reserve, fence, lock).some((says) => says.includes("journaled and retained")));
  ok(brokenOrder({ ...lock, code: 500 }, reserve, fence).some((says) => says.includes("journaled and retained")));
  ok(
    brokenOrder(lock, reserve, { ...fence, preconditions: { uid: "u" } }).some((says) =>
      says.includes("as it was seen"),
    ),
  );
  ok(brokenOrder(lock, fence, reserve).some((says) => says.includes("after the other one")));
  ok(brokenOrder(lock, reserve, fence, told, consume).some((says) => says.includes("told to be complete")));
  for (const code of [409, 403, undefined])
    ok(
      brokenOrder(lock, reserve, fence, { ...consume, code }, told).some((says) =>
        says.includes("told to be complete"),
      ),
      `a consume that was answered ${code ?? "nothing"} is no end`,
    );
});
