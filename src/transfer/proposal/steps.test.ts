import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { test } from "node:test";
import { type Facts, ready, standing } from "../../../test/transfer/proposal-facts.ts";
import { seenOf } from "../../../test/transfer/proposals.ts";
import {
  aClaim,
  requestUid,
  theApproval,
  thePolicy,
  theRequest,
  theSource,
  theTarget,
  theUse,
} from "../../../test/transfer/worlds.ts";
import type { StorageTransferPolicyStatus } from "../../api/gen/transfer.ts";
import type { KubeObject, Resource, Stored } from "../../api/object.ts";
import { type Journal, journalOn } from "../../api/transfer/journal.ts";
import { journalAnnotation, keptAnnotation } from "../../api/transfer/names.ts";
import type { Operation } from "../../kube/json-patch.ts";
import type { Hand } from "../../runtime/hand.ts";
import { must, Overtaken } from "../../runtime/must.ts";
import type { Step } from "./rules.ts";
import type { Proposed } from "./seen.ts";
import { actOnProposal } from "./steps.ts";

type Objects = Readonly<Record<string, Stored<KubeObject>>>;

async function written(step: Step, facts: Partial<Facts>, live: Objects = {}) {
  return await writtenOf(step, await seenOf({ ...ready, ...facts }), live);
}

async function writtenOf(step: Step, seen: Proposed, live: Objects) {
  const writes: (readonly [resource: string, operations: readonly Operation[]])[] = [];
  const find = async ({ plural }: Resource, { name }: { readonly name: string }) => live[`${plural}/${name}`];
  const write = async ({ plural }: Resource, _: unknown, sent: unknown) =>
    void writes.push([plural, Array.isArray(sent) ? (sent as readonly Operation[]) : []]);
  const pages = async function* ({ plural }: Resource) {
    const items = Object.entries(live).flatMap(([key, object]) => (key.startsWith(`${plural}/`) ? [object] : []));
    yield { items, resourceVersion: "1" };
  };
  const hand = { live: { find, pages }, patch: write, delete: write, tell: () => undefined };
  await actOnProposal(step, seen, hand as object as Hand);
  return writes;
}

const setTo = (operations: readonly Operation[], path: string) => {
  const found = operations.find((one) => one.op === "add" && one.path === path);
  return found !== undefined && "value" in found ? found.value : undefined;
};

test("a use is reserved only while the policy is as it was seen, for this request and this claim", async () => {
  const [[resource, operations] = ["", []]] = await written("reserve-use", standing);
  equal(resource, "storagetransferpolicies");
  deepEqual(operations.slice(0, 2), [
    { op: "test", path: "/metadata/uid", value: "policy-uid" },
    { op: "test", path: "/metadata/resourceVersion", value: "1" },
  ]);
  const status = setTo(operations, "/status") as StorageTransferPolicyStatus;
  deepEqual([status.used, status.conditions?.[0]?.reason], [3, "PolicyExhausted"]);
  const { at: _, ...use } = status.uses?.at(-1) ?? { at: "" };
  const { at: __, ...expected } = theUse;
  deepEqual(use, expected);
});

test("a use is never taken for that of the transfer before, even by a clock that goes back", async () => {
  const [[, operations] = ["", []]] = await written("reserve-use", {
    ...standing,
    journal: "rolled back in the future",
  });
  const status = setTo(operations, "/status") as StorageTransferPolicyStatus;
  equal(status.uses?.at(-1)?.at, "2026-11-17T13:00:00.001Z");
});

test("what begins by a policy says by which use of it, and names no approval", async () => {
  const source = { "persistentvolumeclaims/foo": aClaim(theSource) };
  const [[resource, operations] = ["", []]] = await written("lock-volume", { ...standing, policy: "reserved" }, source);
  equal(resource, "persistentvolumes");
  const path = `/metadata/annotations/${journalAnnotation.replace("/", "~1")}`;
  const journal = JSON.parse(String(setTo(operations, path))) as Journal;
  deepEqual(journal.standing, { name: "policy", uid: "policy-uid", at: theUse.at });
  equal(journal.approval, undefined);
  const metadata = { name: "disk", uid: "volume-uid", resourceVersion: "1" };
  const stored = { metadata: { ...metadata, annotations: { [journalAnnotation]: JSON.stringify(journal) } } };
  equal(journalOn(stored).is, "journal");
});

const moving: Partial<Facts> = {
  ...standing,
  policy: "reserved",
  source: "empty",
  target: "moved",
  whenUnbound: "Move",
  bindingMode: "WaitForFirstConsumer",
};

test("an empty source goes by a use that the server shows, and by no other", async () => {
  const target = `persistentvolumeclaims/${theTarget.name}`;
  const asked = { "storagetransferrequests/ask": theRequest(), [target]: aClaim(theTarget) };
  const shown = { ...asked, "storagetransferpolicies/policy": thePolicy({}, [theUse]) };
  equal((await written("remove-empty-source", moving, shown)).length, 1);
  await rejects(written("remove-empty-source", moving, asked), Overtaken);
  await rejects(
    written("remove-empty-source", moving, { ...shown, [target]: aClaim({ ...theTarget, uid: "another" }) }),
    Overtaken,
    "its target is gone, and neither of the two would be left",
  );
  const without = { ...asked, "storagetransferpolicies/policy": thePolicy() };
  await rejects(written("remove-empty-source", moving, without), Overtaken);
  equal(theUse.requestUID, requestUid);
  equal(theUse.sourceUID, theSource.uid);
});

const withdrawn: Partial<Facts> = { approval: "none", source: "none", target: "moved", whenUnbound: "Move" };

for (const step of ["end-move", "remove-empty-target"] as const) {
  test(`"${step}" is not taken for want of a yes that is only not seen`, async () => {
    equal((await written(step, withdrawn)).length, 1, "nobody says yes");
    await rejects(written(step, withdrawn, { "storagetransferapprovals/approve": theApproval() }), Overtaken);
    await rejects(written(step, withdrawn, { "storagetransferpolicies/policy": thePolicy({}, [theUse]) }), Overtaken);
  });
}

test("before an empty target goes, a deletion of its source that may be on its way is made unfit", async () => {
  const recorded: Partial<Facts> = { ...withdrawn, source: "empty", request: "open, move recorded" };
  const writes = await written("remove-empty-target", recorded);
  equal(writes.length, 2, "the source is written to, and then the target is deleted");
  match(JSON.stringify(writes[0]), new RegExp(keptAnnotation.replace("/", "~1")));
  deepEqual(writes[1]?.[1], []);
});

test("before an empty source that was kept once goes after all, a deletion of its target is made unfit", async () => {
  const again: Partial<Facts> = { ...withdrawn, approval: "there", source: "empty", request: "open, move recorded" };
  const asked = { "storagetransferrequests/ask": theRequest(), "storagetransferapprovals/approve": theApproval() };
  const live = { ...asked, [`persistentvolumeclaims/${theTarget.name}`]: aClaim(theTarget) };
  equal((await written("remove-empty-source", again, live)).length, 1, "one that was never kept goes at once");
  const seen = await seenOf({ ...ready, ...again });
  const source = must(seen.source, "a source");
  const annotations = { [keptAnnotation]: `${requestUid}/1` };
  const kept = { ...seen, source: { ...source, metadata: { ...source.metadata, annotations } } };
  const writes = await writtenOf("remove-empty-source", kept, live);
  equal(writes.length, 2, "the target is written to, and then the source is deleted");
  match(JSON.stringify(writes[0]), new RegExp(keptAnnotation.replace("/", "~1")));
});
