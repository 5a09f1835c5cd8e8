import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { namespaces, persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import type { Condition } from "../../src/api/gen/meta.ts";
import {
  type StorageTransferRequestStatus,
  storageTransferApprovals,
  storageTransferPolicies,
  storageTransferRequests,
} from "../../src/api/gen/transfer.ts";
import type { Metadata } from "../../src/api/object.ts";
import { volumeThatIs } from "../fixture/binding.ts";
import { keyOf, refusalOf } from "../fixture/client.ts";
import { aPolicy } from "../fixture/handshake.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith, untilAllowed } from "../fixture/tenant.ts";
import { approve, ask, statusOf, type Transfer, transferOf, untilComplete, untilTold } from "../fixture/transfer.ts";
import { memberOf } from "../stories/teams.ts";
import { twoTeams } from "./attackers.ts";
import { areUntouched, boundAs, boundPair, transferGround } from "./ground.ts";

/* Consents that were given for something else, or to somebody else, or before, or by somebody who may not. */
const { cluster, admin } = await transferGround();

/** The server counts in whole seconds, and the same second is old enough. */
async function aSecondAfter({ creationTimestamp = "" }: Metadata): Promise<void> {
  await until("a second has passed", () => Date.now() >= Date.parse(creationTimestamp) + 2000);
}

/** With everything in it; the name is free again. */
async function namespaceGone(name: string): Promise<void> {
  await admin.delete(namespaces, keyOf(await admin.get(namespaces, { name })));
  await until("it is gone", async () => (await admin.find(namespaces, { name })) === undefined);
}

test("an approval is good for one transfer, also when everything that proves it is gone", async (t) => {
  const { alice, bob, transfer, volume, place } = await twoTeams(t, cluster, admin);
  await approve(alice, transfer);
  await ask(bob, transfer);
  await untilComplete(bob, transfer);
  const target = await bob.get(persistentVolumeClaims, transfer.to);
  await bob.delete(persistentVolumeClaims, keyOf(target));
  await volumeThatIs("Released", admin, volume.metadata);
  await admin.delete(persistentVolumes, keyOf(volume));
  const again = await boundAs(t, admin, place);
  const request = { namespace: transfer.to.namespace, name: transfer.request };
  await bob.delete(storageTransferRequests, keyOf(await bob.get(storageTransferRequests, request)));
  await ask(bob, transfer);
  await untilTold(bob, transfer, "AwaitingApproval");
  ok(await areUntouched(admin, again));
});

test("a source that was made again needs a new approval", async (t) => {
  const { alice, bob, transfer, claim, place } = await twoTeams(t, cluster, admin);
  await approve(alice, transfer);
  const { metadata } = await alice.get(storageTransferApprovals, {
    namespace: transfer.from.namespace,
    name: transfer.approval,
  });
  await alice.delete(persistentVolumeClaims, keyOf(claim));
  await aSecondAfter(metadata);
  const again = await boundAs(t, admin, place);
  await ask(bob, transfer);
  await untilTold(bob, transfer, "SourceNewerThanApproval");
  ok(await areUntouched(admin, again));
  await alice.delete(
    storageTransferApprovals,
    keyOf(await alice.get(storageTransferApprovals, { namespace: transfer.from.namespace, name: transfer.approval })),
  );
  await approve(alice, transfer);
  await untilComplete(bob, transfer);
});

test("an approval does not outlive its namespace", async (t) => {
  const { alice, bob, transfer, place } = await twoTeams(t, cluster, admin);
  const { namespace } = transfer.from;
  await approve(alice, transfer);
  await namespaceGone(namespace);
  await admin.create(namespaces, { metadata: { name: namespace } });
  const again = await boundAs(t, admin, place);
  await ask(bob, transfer);
  await untilTold(bob, transfer, "AwaitingApproval");
  ok(await areUntouched(admin, again));
});

test("an approval for a namespace is none for the next one of that name", async (t) => {
  const { alice, transfer, claim, volume } = await twoTeams(t, cluster, admin);
  const { namespace } = transfer.to;
  await approve(alice, transfer);
  const approval = { namespace: transfer.from.namespace, name: transfer.approval };
  const { metadata } = await alice.get(storageTransferApprovals, approval);
  await namespaceGone(namespace);
  await aSecondAfter(metadata);
  await admin.create(namespaces, { metadata: { name: namespace } });
  const mallory = await memberOf(t, cluster, "mallory", namespace, "portway-requester");
  await ask(mallory, transfer);
  await untilTold(mallory, transfer, "TargetNewerThanApproval");
  ok(await areUntouched(admin, { claim, volume }));
  equal(await admin.find(persistentVolumeClaims, transfer.to), undefined);
  await alice.delete(storageTransferApprovals, { ...approval, uid: metadata.uid });
  await approve(alice, transfer);
  await untilComplete(mallory, transfer);
});

test("a request does not tell whether a claim exists in another namespace", async (t) => {
  const { bob, transfer, claim, volume } = await twoTeams(t, cluster, admin);
  const nowhere: Transfer = transferOf({ ...transfer.from, name: "no-such-claim" }, transfer.to);
  const noNamespace: Transfer = transferOf({ namespace: "no-such-namespace", name: "foo" }, transfer.to);
  const before = claim.metadata.resourceVersion;
  for (const one of [transfer, nowhere, noNamespace]) await ask(bob, one);
  for (const one of [transfer, nowhere, noNamespace]) await untilTold(bob, one, "AwaitingApproval");
  const [real, ...others] = await Promise.all([transfer, nowhere, noNamespace].map((one) => statusOf(bob, one)));
  for (const other of others) deepEqual(withoutTimes(other), withoutTimes(real ?? {}));
  equal((await admin.get(persistentVolumeClaims, keyOf(claim))).metadata.resourceVersion, before);
  equal((await admin.get(persistentVolumes, keyOf(volume))).metadata.resourceVersion, volume.metadata.resourceVersion);
});

function withoutTimes(status: StorageTransferRequestStatus): unknown {
  const words = ({ type, status: is, reason, message }: Condition) => [type, is, reason, message];
  return { ...status, conditions: status.conditions?.map(words) };
}

test("who edits both namespaces and may ask gives nothing to themselves beforehand", async (t) => {
  const { transfer, ...pair } = await boundPair(t, admin);
  const [from, to] = [transfer.from.namespace, transfer.to.namespace];
  const alice = await tenantWith(t, cluster, "alice", from, "admin");
  const mallory = await tenantWith(t, cluster, "mallory", from, "edit");
  await memberOf(t, cluster, "mallory", to, "portway-requester");
  const elsewhere = aPolicy(from, { targets: { namespaces: ["elsewhere"] } });
  const legal = await alice.create(storageTransferPolicies, elsewhere);
  await ask(mallory, transfer);
  const attacks = [
    mallory.create(storageTransferPolicies, aPolicy(from, { targets: { namespaces: [to] } })),
    mallory.merge(storageTransferPolicies, keyOf(legal), { spec: { targets: { namespaces: [to] } } }),
    mallory.merge(storageTransferPolicies, keyOf(legal), { status: { uses: [] } }, { subresource: "status" }),
    mallory.delete(storageTransferPolicies, keyOf(legal)),
  ];
  for (const { message } of await Promise.all(attacks.map(refusalOf))) match(message, /User "mallory" cannot/);
  await untilTold(mallory, transfer, "AwaitingApproval");
  ok(await areUntouched(admin, pair));
});

test("who may approve but not delete claims approves nothing beforehand, and nobody writes the uses", async (t) => {
  const { from, to } = (await boundPair(t, admin)).transfer;
  const alice = await tenantWith(t, cluster, "alice", from.namespace, "admin");
  const mallory = await tenantWith(t, cluster, "mallory", from.namespace, "portway-approver");
  await untilAllowed(mallory, {
    namespace: from.namespace,
    group: "transfer.portway.dev",
    resource: "storagetransferpolicies",
    verb: "create",
  });
  const forTo = () => aPolicy(from.namespace, { targets: { namespaces: [to.namespace] } });
  const attack = mallory.create(storageTransferPolicies, forTo());
  equal((await refusalOf(attack)).deniedBy, "portway-consent-policy");
  const policy = await alice.create(storageTransferPolicies, forTo());
  const widened = mallory.merge(storageTransferPolicies, keyOf(policy), { spec: { count: 1000 } });
  equal((await refusalOf(widened)).deniedBy, "portway-consent-policy");
  const uses = { status: { uses: [] } };
  const cleared = alice.merge(storageTransferPolicies, keyOf(policy), uses, { subresource: "status" });
  equal((await refusalOf(cleared)).reason, "Forbidden");
});
