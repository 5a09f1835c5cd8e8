import { deepEqual, equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import { seenOf } from "../../test/transfer/under-way.ts";
import { type Facts, locked } from "../../test/transfer/under-way-facts.ts";
import {
  aClaim,
  aVolume,
  bothNamespaces,
  leaving,
  marked,
  theApproval,
  thePolicy,
  theRequest,
  theReturned,
  theSource,
  theTarget,
  theUse,
} from "../../test/transfer/worlds.ts";
import type { PersistentVolume } from "../api/gen/core.ts";
import type { KubeObject, Resource, Stored } from "../api/object.ts";
import type { Operation } from "../kube/json-patch.ts";
import type { Hand } from "../runtime/hand.ts";
import { Overtaken } from "../runtime/must.ts";
import type { Step } from "./rules.ts";
import { act } from "./steps.ts";

type Objects = Readonly<Record<string, Stored<KubeObject>>>;

/** A server with these objects, which remembers what was written. */
function handOn(objects: Objects): { readonly hand: Hand; readonly writes: unknown[] } {
  const writes: unknown[] = [];
  const write = async (...words: readonly unknown[]) => void writes.push(words);
  const find = async ({ plural }: Resource, { name }: { readonly name: string }) => objects[`${plural}/${name}`];
  const hand = {
    live: { find },
    create: (resource: Resource, object: KubeObject) => write("create", resource.plural, object.metadata.name),
    patch: (resource: Resource, _: unknown, operations: readonly Operation[]) =>
      write("patch", resource.plural, operations),
    delete: (resource: Resource, { name }: { readonly name: string }, options: unknown) =>
      write("delete", resource.plural, name, options),
    tell: () => undefined,
  };
  return { hand: hand as object as Hand, writes };
}

const consents: Objects = {
  "storagetransferrequests/ask": theRequest(),
  "storagetransferapprovals/approve": theApproval(),
};
const [fromNamespace, toNamespace] = bothNamespaces;
const homes: Objects = {
  ...(fromNamespace === undefined ? {} : { "namespaces/from": fromNamespace }),
  ...(toNamespace === undefined ? {} : { "namespaces/to": toNamespace }),
};
const source = {
  "persistentvolumeclaims/foo": {
    ...aClaim(theSource),
    metadata: { ...aClaim(theSource).metadata, resourceVersion: "7" },
  },
};
const target = { "persistentvolumeclaims/bar": aClaim({ ...theTarget, ...marked }, {}, "Pending") };

const fenced = { "persistentvolumeclaims/foo": aClaim({ ...theSource, ...leaving }) };
const reserved: Partial<Facts> = { target: "target" };
const { volume: lockedVolume } = await seenOf({ ...locked, ...reserved });
const lock: Objects = { [`persistentvolumes/${lockedVolume.metadata.name}`]: lockedVolume };

function lockWith(change: Partial<Stored<PersistentVolume>>): Objects {
  return { [`persistentvolumes/${lockedVolume.metadata.name}`]: { ...lockedVolume, ...change } };
}

const released: Partial<Facts> = { ...reserved, source: "none", phase: "Released", claimPhase: "Pending" };
const bereaved: Partial<Facts> = { source: "none", pointsAt: "target", wasPointed: true, phase: "Released" };

const byPolicy: Partial<Facts> = { ...reserved, standing: "there", approval: "none" };
const { volume: lockedByPolicy } = await seenOf({ ...locked, ...byPolicy });
const policyLock: Objects = {
  [`persistentvolumes/${lockedByPolicy.metadata.name}`]: lockedByPolicy,
  "storagetransferrequests/ask": theRequest(),
};
const withPolicy = (policy: Stored<KubeObject>): Objects => ({
  ...policyLock,
  ...source,
  "storagetransferpolicies/policy": policy,
});

const undone: Partial<Facts> = { ...reserved, outcome: "rolled-back", policy: "Delete", claimPhase: "Pending" };
const { volume: undoneVolume } = await seenOf({ ...locked, ...undone });
const end: Objects = { [`persistentvolumes/${undoneVolume.metadata.name}`]: undoneVolume };

const overtaken: readonly (readonly [says: string, step: Step, facts: Partial<Facts>, live: Objects])[] = [
  [
    "the request is gone",
    "fence-source",
    reserved,
    { ...lock, ...source, "storagetransferapprovals/approve": theApproval() },
  ],
  [
    "the approval is gone",
    "fence-source",
    reserved,
    { ...lock, ...source, "storagetransferrequests/ask": theRequest() },
  ],
  [
    "the approval is another one",
    "fence-source",
    reserved,
    { ...lock, ...consents, ...source, "storagetransferapprovals/approve": theApproval(undefined, { uid: "new" }) },
  ],
  [
    "the approval is being deleted",
    "fence-source",
    reserved,
    { ...lock, ...consents, ...source, "storagetransferapprovals/approve": theApproval(undefined, leaving) },
  ],
  [
    "the approval is used",
    "fence-source",
    reserved,
    { ...lock, ...consents, ...source, "storagetransferapprovals/approve": theApproval({ consumed: true }) },
  ],
  [
    "the source is another claim",
    "fence-source",
    reserved,
    { ...lock, ...consents, "persistentvolumeclaims/foo": aClaim({ ...theSource, uid: "new" }) },
  ],
  [
    "the source is on its way out already",
    "fence-source",
    reserved,
    { ...lock, ...consents, "persistentvolumeclaims/foo": aClaim({ ...theSource, ...leaving }) },
  ],
  ["the request has begun again", "remove-late-target", undone, lock],
  ["the volume is gone", "remove-late-target", undone, {}],
  ["the policy is gone", "fence-source", byPolicy, { ...policyLock, ...source }],
  ["the policy is another one", "fence-source", byPolicy, withPolicy(thePolicy({}, [theUse], { uid: "new" }))],
  ["the policy is being deleted", "fence-source", byPolicy, withPolicy(thePolicy({}, [theUse], leaving))],
  ["the use is gone", "fence-source", byPolicy, withPolicy(thePolicy())],
  [
    "the use is a later one",
    "fence-source",
    byPolicy,
    withPolicy(thePolicy({}, [{ ...theUse, at: "2026-11-17T11:30:00.000Z" }])),
  ],
  [
    "a policy that was not seen is there",
    "settle-volume",
    { ...bereaved, ...byPolicy, source: "none", standing: "gone" },
    withPolicy(thePolicy({}, [theUse])),
  ],
  ["the volume is gone", "fence-source", reserved, { ...consents, ...source }],
  [
    "the policy is back",
    "fence-source",
    reserved,
    {
      ...consents,
      ...source,
      ...lockWith({ spec: { ...lockedVolume.spec, persistentVolumeReclaimPolicy: "Delete" } }),
    },
  ],
  [
    "the journal is another one",
    "fence-source",
    reserved,
    { ...consents, ...source, ...lockWith({ metadata: { ...lockedVolume.metadata, annotations: {} } }) },
  ],
  ["the source is still there", "hand-over", released, source],
  [
    "an approval that was not seen is there, and not used",
    "settle-volume",
    { ...bereaved, target: "target", approval: "none" },
    consents,
  ],
  ["the source is on its way out", "remove-target", { ...reserved, request: "none" }, fenced],
  ["the source is gone", "restore-volume", { approval: "none" }, {}],
  ["a target is left over", "restore-volume", { approval: "none" }, { ...source, ...target }],
  ["the target is there after all", "return-claim", bereaved, target],
  ["the target is there after all, once more", "point-back", { ...bereaved, source: "returned" }, target],
  [
    "somebody can get it back",
    "mark-orphaned",
    { ...bereaved, fromNamespace: "is gone", toNamespace: "is gone" },
    homes,
  ],
  [
    "the target is there after all, and nobody else",
    "mark-orphaned",
    { ...bereaved, fromNamespace: "is gone" },
    target,
  ],
];

for (const [says, step, facts, live] of overtaken) {
  test(`"${step}" is not taken when ${says}, whatever the caches say`, async () => {
    const { hand, writes } = handOn(live);
    await rejects(act(step, await seenOf({ ...locked, ...facts }), hand), Overtaken);
    deepEqual(writes, []);
  });
}

test("the source is deleted as it is on the server now", async () => {
  const { hand, writes } = handOn({ ...lock, ...consents, ...source });
  await act("fence-source", await seenOf({ ...locked, ...reserved }), hand);
  deepEqual(writes, [["delete", "persistentvolumeclaims", "foo", { resourceVersion: "7" }]]);
});

test("by a policy the source is given up even when the policy's time is over by now", async () => {
  const over = thePolicy({ until: "2026-11-17T11:00:00Z", count: 1 }, [theUse]);
  const { hand, writes } = handOn(withPolicy(over));
  await act("fence-source", await seenOf({ ...locked, ...byPolicy }), hand);
  deepEqual(writes, [["delete", "persistentvolumeclaims", "foo", { resourceVersion: "7" }]]);
});

/** What a patch demands, and what it sets. */
async function patchOf(step: Step, facts: Partial<Facts>, live: Objects = {}) {
  const { hand, writes } = handOn(live);
  await act(step, await seenOf({ ...locked, ...facts }), hand);
  const [, , operations] = writes[0] as readonly [string, string, readonly Operation[]];
  const valueOf = (op: string, path: string) => operations.find((one) => one.op === op && one.path === path);
  const [uid, claim] = [valueOf("test", "/metadata/uid"), valueOf("test", "/spec/claimRef/uid")];
  return { operations, valueOf, tested: [uid, claim].map((one) => one !== undefined && "value" in one && one.value) };
}

test("the volume is pointed at the target by uid, if it still points where it did", async () => {
  const { valueOf, tested } = await patchOf("hand-over", released);
  deepEqual(tested, [aVolume().metadata.uid, theSource.uid]);
  const claimRef = valueOf("add", "/spec/claimRef");
  deepEqual(claimRef !== undefined && "value" in claimRef && claimRef.value, {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    ...theTarget,
  });
});

test("the volume is pointed back by uid", async () => {
  const { valueOf, tested } = await patchOf("point-back", { ...bereaved, source: "returned" });
  deepEqual(tested, [aVolume().metadata.uid, theTarget.uid]);
  const claimRef = valueOf("add", "/spec/claimRef") as { readonly value?: { readonly uid?: string } } | undefined;
  equal(claimRef?.value?.uid, theReturned.uid);
});

test("the policy is put back only while the volume is bound", async () => {
  const bound: Partial<Facts> = {
    source: "none",
    pointsAt: "target",
    wasPointed: true,
    target: "target",
    approval: "used",
  };
  const { valueOf } = await patchOf("settle-volume", bound);
  deepEqual(valueOf("test", "/status/phase"), { op: "test", path: "/status/phase", value: "Bound" });
  deepEqual(valueOf("add", "/spec/persistentVolumeReclaimPolicy"), {
    op: "add",
    path: "/spec/persistentVolumeReclaimPolicy",
    value: "Delete",
  });
});

test("a target that came when all was undone is removed as it was seen", async () => {
  const { hand, writes } = handOn(end);
  await act("remove-late-target", await seenOf({ ...locked, ...undone }), hand);
  const { resourceVersion } = aClaim({ ...theTarget, ...marked }).metadata;
  deepEqual(writes, [["delete", "persistentvolumeclaims", "bar", { resourceVersion }]]);
});
