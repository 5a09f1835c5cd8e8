import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../src/api/gen/transfer.ts";
import { journalOn } from "../../src/api/transfer/journal.ts";
import { idAnnotation } from "../../src/api/transfer/names.ts";
import { Change } from "../../src/kube/json-patch.ts";
import { claimPhase, deleteClaim, newClaim, volumeThatIs } from "../fixture/binding.ts";
import { keyOf } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { approve, ask, untilComplete, untilTold } from "../fixture/transfer.ts";
import { twoTeams } from "./attackers.ts";
import { areUntouched, boundAs, transferGround } from "./ground.ts";
import { onePortwayThatDies } from "./mortal.ts";

/* What can be done while Portway lies dead in the middle of a transfer. */
const ground = await transferGround();
const { cluster, admin, controller } = ground;

test("an approval that was used is used, although the crash came before the end and nothing else proves it", async (t) => {
  const { alice, bob, transfer, volume, place } = await twoTeams(t, cluster, admin);
  const { death } = await onePortwayThatDies(t, ground);
  await approve(alice, transfer);
  await ask(bob, transfer);
  await death;
  const approval = { namespace: transfer.from.namespace, name: transfer.approval };
  equal((await alice.get(storageTransferApprovals, approval)).status?.consumed, true);
  equal(journalOn(await admin.get(persistentVolumes, keyOf(volume))).is, "journal", "it lies open");

  await deleteClaim(bob, await bob.get(persistentVolumeClaims, transfer.to));
  await volumeThatIs("Released", admin, volume.metadata);
  await admin.delete(persistentVolumes, keyOf(volume));
  const again = await boundAs(t, admin, place);
  const request = { namespace: transfer.to.namespace, name: transfer.request };
  await bob.delete(storageTransferRequests, keyOf(await bob.get(storageTransferRequests, request)));
  await ask(bob, transfer);
  await controller.start();
  await untilTold(bob, transfer, "AwaitingApproval");
  ok(await areUntouched(admin, again));
});

test("a crash before the end does not give the same approval to another request", async (t) => {
  const { alice, bob, transfer, volume } = await twoTeams(t, cluster, admin);
  const { death } = await onePortwayThatDies(t, ground);
  await approve(alice, transfer);
  await ask(bob, transfer);
  await death;
  const request = { namespace: transfer.to.namespace, name: transfer.request };
  await bob.delete(storageTransferRequests, keyOf(await bob.get(storageTransferRequests, request)));
  await ask(bob, transfer);
  await controller.start();
  await untilTold(bob, transfer, "AwaitingApproval");
  await until("the transfer has ended", async () => {
    const reading = journalOn(await admin.get(persistentVolumes, keyOf(volume)));
    return reading.is === "journal" && reading.journal.outcome === "complete";
  });
  const { claimRef, persistentVolumeReclaimPolicy } = (await volumeThatIs("Bound", admin, volume.metadata)).spec ?? {};
  deepEqual([claimRef?.namespace, persistentVolumeReclaimPolicy], [transfer.to.namespace, "Delete"]);
});

test("a giver who plants a claim with our mark under the source's name does not get the volume back", async (t) => {
  const { alice, bob, transfer, claim, volume, place } = await twoTeams(t, cluster, admin);
  const held = new Change(claim, { anyVersion: true }).addFinalizer("example.dev/hold").operations;
  await alice.patch(persistentVolumeClaims, keyOf(claim), held);
  await approve(alice, transfer);
  await ask(bob, transfer);
  const request = { namespace: transfer.to.namespace, name: transfer.request };
  const { uid } = (await bob.get(storageTransferRequests, request)).metadata;
  await until("the source is given up", async () => {
    return (await alice.get(persistentVolumeClaims, keyOf(claim))).metadata.deletionTimestamp !== undefined;
  });
  await controller.killed();
  await alice.merge(persistentVolumeClaims, keyOf(claim), { metadata: { finalizers: null } });
  await volumeThatIs("Released", admin, volume.metadata);
  const spec = { volumeName: volume.metadata.name };
  const planted = await newClaim(alice, place, spec, { name: "foo", annotations: { [idAnnotation]: uid } });

  await controller.start();
  await untilComplete(bob, transfer);
  const { claimRef } = (await volumeThatIs("Bound", admin, volume.metadata)).spec ?? {};
  const target = await bob.get(persistentVolumeClaims, transfer.to);
  equal(claimRef?.uid, target.metadata.uid);
  equal(await claimPhase(admin, planted), "Pending");
});
