import { equal, notEqual, ok } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { storageClasses } from "../../src/api/gen/storage.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../src/api/gen/transfer.ts";
import { idAnnotation, journalAnnotation } from "../../src/api/transfer/names.ts";
import type { Client } from "../../src/kube/client.ts";
import { binderCatchesUp, claimPhase, claimThatIs, newClaim, newVolume, volumeThatIs } from "../fixture/binding.ts";
import { keyOf, newNamespace, randomWord } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { approve, ask, transferOf, untilComplete, untilTold } from "../fixture/transfer.ts";
import { agreedOn, malloryAtHome, twoTeams } from "./attackers.ts";
import { areUntouched, boundAs, boundPair, transferGround } from "./ground.ts";
import { aJournal } from "./worlds.ts";

/* Claims that are made to get what nobody has given. Whoever attacks may edit a namespace, and has one role of Portway's. */
const { cluster, admin } = await transferGround();

test("a claim that names another's volume gives nothing away", async (t) => {
  const victim = await boundPair(t, admin);
  const { mallory, home, next, place } = await malloryAtHome(t, cluster, admin);
  const { className } = victim.place;
  await newClaim(mallory, { ...place, className }, { volumeName: victim.volume.metadata.name }, { name: "stolen" });
  const theft = transferOf({ namespace: home, name: "stolen" }, { namespace: next, name: "loot" });
  await approve(mallory, theft);
  await ask(mallory, theft);
  await untilTold(mallory, theft, "SourceNotBound");
  ok(await areUntouched(admin, victim));
  equal(await admin.find(persistentVolumeClaims, theft.to), undefined);
});

for (const [how, isMarked] of [
  ["without our mark", false],
  ["with our mark", true],
] as const) {
  test(`a target that was planted ${how} gets nothing, and nothing is destroyed for it`, async (t) => {
    const { alice, bob, transfer, claim, volume, place } = await twoTeams(t, cluster, admin);
    await ask(bob, transfer);
    const request = await bob.get(storageTransferRequests, {
      namespace: transfer.to.namespace,
      name: transfer.request,
    });
    const annotations = isMarked ? { [idAnnotation]: request.metadata.uid } : {};
    const spec = isMarked ? { volumeName: volume.metadata.name } : {};
    const metadata = { name: transfer.to.name, annotations };
    const planted = await newClaim(bob, { ...transfer.to, className: place.className }, spec, metadata);
    await approve(alice, transfer);
    await untilTold(bob, transfer, "TargetTaken");
    ok(await areUntouched(admin, { claim, volume }));
    await bob.delete(persistentVolumeClaims, keyOf(planted));
    await untilComplete(bob, transfer);
    const { claimRef } = (await volumeThatIs("Bound", admin, volume.metadata)).spec ?? {};
    notEqual(claimRef?.uid, planted.metadata.uid);
  });
}

/** An empty claim of a class that waits for a pod, and a request to move it. */
async function emptyMove(t: TestContext) {
  const teams = await twoTeams(t, cluster, admin);
  const { alice, bob, transfer } = teams;
  const className = `waits-${randomWord()}`;
  const { metadata } = await admin.create(storageClasses, {
    metadata: { name: className },
    provisioner: "none.portway.dev",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  t.after(() => admin.delete(storageClasses, { name: className, uid: metadata.uid }));
  const empty = transferOf({ ...transfer.from, name: "empty" }, { ...transfer.to, name: "loot" });
  const source = await newClaim(alice, { ...transfer.from, className }, {}, { name: "empty" });
  await ask(bob, empty, { whenUnbound: "Move" });
  const asked = await bob.get(storageTransferRequests, { namespace: empty.to.namespace, name: empty.request });
  /** As if Portway had made it for this request, from the claim with this uid. */
  const plant = (sourceUID: string) =>
    newClaim(
      bob,
      { ...empty.to, className },
      {},
      { name: "loot", annotations: { [idAnnotation]: `${asked.metadata.uid}/${sourceUID}` } },
    );
  const isUntouched = async () => {
    const found = await alice.get(persistentVolumeClaims, keyOf(source));
    return found.metadata.uid === source.metadata.uid && found.metadata.deletionTimestamp === undefined;
  };
  return { ...teams, empty, source, plant, isUntouched };
}

test("a planted claim with our mark does not make an empty source go that nobody has approved", async (t) => {
  const { alice, bob, empty, source, plant, isUntouched } = await emptyMove(t);
  await plant(source.metadata.uid);
  await untilTold(bob, empty, "AwaitingApproval");
  const another = transferOf(empty.from, { ...empty.to, name: "another" });
  await approve(alice, another);
  await ask(bob, another);
  await untilTold(bob, another, "SourceNotBound");
  ok(await isUntouched(), "an approval of another request is none");
  await approve(alice, empty);
  await untilComplete(bob, empty);
  equal(await alice.find(persistentVolumeClaims, empty.from), undefined);
});

test("a planted claim that says its source has moved uses no approval up, and hides no source", async (t) => {
  const { alice, bob, empty, source, plant, isUntouched } = await emptyMove(t);
  // The server counts in whole seconds, and who came first cannot be told within one.
  const born = Date.parse(source.metadata.creationTimestamp ?? "");
  await until("a second has passed", () => Date.now() >= born + 2000);
  const planted = await plant("11111111-1111-1111-1111-111111111111");
  await approve(alice, empty);
  await untilTold(bob, empty, "TargetTaken");
  ok(await isUntouched());
  const approval = { namespace: empty.from.namespace, name: empty.approval };
  notEqual((await alice.get(storageTransferApprovals, approval)).status?.consumed, true);
  await bob.delete(persistentVolumeClaims, keyOf(planted));
  await untilComplete(bob, empty);
  equal(await alice.find(persistentVolumeClaims, empty.from), undefined);
});

test("a claim in a third namespace that waits for the volume never gets it", async (t) => {
  const { alice, bob, transfer, volume, place } = await twoTeams(t, cluster, admin);
  const third = await newNamespace(t, admin);
  const mallory = await tenantWith(t, cluster, "mallory", third, "edit");
  const own = await newVolume(t, admin, { className: `${place.className}-own` });
  await volumeThatIs("Available", admin, own.metadata);
  const legal = { namespace: third, className: `${place.className}-own` };
  await claimThatIs("Bound", admin, keyOf(await newClaim(mallory, legal, { volumeName: own.metadata.name })));
  const spec = { volumeName: volume.metadata.name };
  const waiter = await newClaim(mallory, { namespace: third, className: place.className }, spec);
  await approve(alice, transfer);
  await ask(bob, transfer);
  await untilComplete(bob, transfer);
  await binderCatchesUp(t, admin, { namespace: third, className: place.className });
  equal(await claimPhase(admin, waiter), "Pending");
});

test("a journal on a claim is only an annotation", async (t) => {
  const victim = await boundPair(t, admin);
  const { mallory, place } = await malloryAtHome(t, cluster, admin);
  const { name, uid } = victim.volume.metadata;
  const source = { namespace: victim.place.namespace, namespaceUID: "u", name: "foo", uid: victim.claim.metadata.uid };
  const target = { namespace: place.namespace, namespaceUID: "u", name: "loot" };
  const forged = JSON.stringify(aJournal({ volumeUID: uid, source, target }));
  const annotations = { [journalAnnotation]: forged, [idAnnotation]: "request-uid" };
  const loot = await newClaim(
    mallory,
    { ...place, className: victim.place.className },
    { volumeName: name },
    { name: "loot", annotations },
  );
  // Whatever the engine would do about it, it has done when this is over.
  await malloryAgain(t, mallory, place.namespace);
  ok(await areUntouched(admin, victim));
  equal(await claimPhase(admin, loot), "Pending");
});

async function malloryAgain(t: TestContext, mallory: Client, namespace: string): Promise<void> {
  const place = { namespace, className: "again" };
  await boundAs(t, admin, place);
  const transfer = transferOf({ namespace, name: "foo" }, { namespace, name: "renamed" });
  await tenantWith(t, cluster, "mallory", namespace, "portway-requester");
  await agreedOn(mallory, mallory, transfer);
}
