import { deepEqual, equal, notEqual } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { Change } from "../../src/kube/json-patch.ts";
import {
  binderCatchesUp,
  type Claim,
  claimPhase,
  claimThatIs,
  deleteClaim,
  giveTo,
  kickedUntil,
  newBoundPair,
  newClaim,
  newPlace,
  newReleasedVolume,
  newVolume,
  type Place,
  referenceTo,
  referenceToNobody,
  volumeThatIs,
} from "../fixture/binding.ts";
import { adminClient, keyOf, randomWord } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

test("a volume whose claim is gone is Released, and a new claim of the same name does not get it", async (t) => {
  const place = await newPlace(t, admin);
  const { volume, claim } = await newBoundPair(t, admin, place);
  await deleteClaim(admin, claim);
  await volumeThatIs("Released", admin, keyOf(volume));
  const { name } = claim.metadata;
  const again = await newClaim(admin, place, { volumeName: volume.metadata.name }, { name });
  await binderCatchesUp(t, admin, place);
  equal(await claimPhase(admin, again), "Pending");
  const { spec, status } = await admin.get(persistentVolumes, keyOf(volume));
  deepEqual([spec?.claimRef?.uid, status?.phase], [claim.metadata.uid, "Released"]);
});

test("a volume without a claimRef is Available, and a claim of any namespace takes it", async (t) => {
  const place = await newPlace(t, admin);
  const { volume, claim } = await newBoundPair(t, admin, place);
  await deleteClaim(admin, claim);
  const released = await volumeThatIs("Released", admin, keyOf(volume));
  const change = new Change(released, { anyVersion: true }).remove(["spec", "claimRef"]);
  await admin.patch(persistentVolumes, keyOf(volume), change.operations);
  await volumeThatIs("Available", admin, keyOf(volume));
  const stranger = await newClaim(admin, { ...(await newPlace(t, admin)), className: place.className });
  notEqual(stranger.metadata.namespace, claim.metadata.namespace);
  await claimThatIs("Bound", admin, keyOf(stranger));
});

test("a volume reserved by name alone goes to the first claim of that name", async (t) => {
  const place = await newPlace(t, admin);
  const name = `c-${randomWord()}`;
  const volume = await newVolume(t, admin, place, { claimRef: { namespace: place.namespace, name } });
  await volumeThatIs("Available", admin, keyOf(volume));
  const other = await newClaim(admin, place);
  const claim = await newClaim(admin, place, {}, { name });
  await claimThatIs("Bound", admin, keyOf(claim));
  equal((await volumeThatIs("Bound", admin, keyOf(volume))).spec?.claimRef?.uid, claim.metadata.uid);
  equal(await claimPhase(admin, other), "Pending", "it was there first, under another name");
});

test("a volume given to a uid that no claim has is Released", async (t) => {
  const place = await newPlace(t, admin);
  const volume = await newVolume(t, admin, place);
  await volumeThatIs("Available", admin, keyOf(volume));
  await giveTo(admin, volume, referenceToNobody(place));
  await volumeThatIs("Released", admin, keyOf(volume));
});

test("a volume given to the uid of a claim without volumeName is bound without a write to the claim", async (t) => {
  const place = await newPlace(t, admin);
  const volume = await newReleasedVolume(t, admin, place);
  const claim = await newClaim(admin, place);
  await binderCatchesUp(t, admin, place);
  equal(await claimPhase(admin, claim), "Pending");
  await giveTo(admin, volume, referenceTo(claim));
  equal((await claimThatIs("Bound", admin, keyOf(claim))).spec?.volumeName, volume.metadata.name);
});

test("a claim that names its volume already waits until it is written to: the kick", async (t) => {
  await waitsForKick(async () => {
    const place = await newPlace(t, admin);
    const volume = await newReleasedVolume(t, admin, place);
    const claim = await newClaim(admin, place, { volumeName: volume.metadata.name });
    await binderCatchesUp(t, admin, place);
    await giveTo(admin, volume, referenceTo(claim));
    await volumeThatIs("Bound", admin, keyOf(volume));
    return await isBoundByKick(t, place, claim);
  });
});

test("a claim that was there before a volume was reserved for its name waits for a kick, too", async (t) => {
  await waitsForKick(async () => {
    const place = await newPlace(t, admin);
    const volume = await newReleasedVolume(t, admin, place);
    const claim = await newClaim(admin, place);
    await binderCatchesUp(t, admin, place);
    await giveTo(admin, volume, { namespace: place.namespace, name: claim.metadata.name });
    await volumeThatIs("Available", admin, keyOf(volume));
    return await isBoundByKick(t, place, claim);
  });
});

/** The binder also looks at every claim each 15 s. A claim which that happened to proves nothing: take another. */
async function waitsForKick(isBoundByKick: () => Promise<boolean>): Promise<void> {
  const tries = 3;
  for (let i = 0; i < tries; i++) if (await isBoundByKick()) return;
  throw new Error(`${tries} claims in a row were bound before anybody wrote to them: no kick is needed any more`);
}

/** Whether the claim waited for the kick. After it, the claim is bound in any case. */
async function isBoundByKick(t: TestContext, place: Place, claim: Claim): Promise<boolean> {
  await binderCatchesUp(t, admin, place);
  const before = await claimPhase(admin, claim);
  await kickedUntil("Bound", admin, claim);
  return before === "Pending";
}

test("a condition that was applied to a claim is still there when it is bound", async (t) => {
  const place = await newPlace(t, admin);
  const claim = await newClaim(admin, place);
  const { namespace = "", name } = claim.metadata;
  const condition = { type: "portway.dev/Given", status: "True", reason: "Moved", message: "from team-a" };
  const applied = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace, name },
    status: { conditions: [condition] },
  };
  await admin.apply(persistentVolumeClaims, applied, { subresource: "status" });
  await newVolume(t, admin, place, { claimRef: referenceTo(claim) });
  const { status } = await claimThatIs("Bound", admin, keyOf(claim));
  deepEqual(
    status?.conditions?.map(({ type, status, reason, message }) => ({ type, status, reason, message })),
    [condition],
  );
});
