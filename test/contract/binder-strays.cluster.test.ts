import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import {
  claimThatIs,
  giveTo,
  kickedUntil,
  newBoundPair,
  newClaim,
  newPlace,
  newVolume,
  referenceTo,
  referenceToNobody,
  volumeThatIs,
} from "../fixture/binding.ts";
import { adminClient, keyOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";

/** What the binder does when a claim and a volume do not point at each other. */
const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

test("a bound claim whose volume was given away is Lost, and Bound again when it is given back", async (t) => {
  const place = await newPlace(t, admin);
  const { volume, claim } = await newBoundPair(t, admin, place);
  await giveTo(admin, volume, referenceToNobody(place));
  const lost = await kickedUntil("Lost", admin, claim);
  deepEqual([lost.status?.capacity, lost.spec?.volumeName], [undefined, volume.metadata.name]);
  await giveTo(admin, volume, referenceTo(claim));
  deepEqual((await kickedUntil("Bound", admin, claim)).status?.capacity, { storage: "1Gi" });
});

test("a claim that says bind-completed and names the volume of another claim is Lost", async (t) => {
  const place = await newPlace(t, admin);
  const { volume } = await newBoundPair(t, admin, place);
  const annotations = { "pv.kubernetes.io/bind-completed": "yes" };
  const claim = await newClaim(admin, place, { volumeName: volume.metadata.name }, { annotations });
  await claimThatIs("Lost", admin, keyOf(claim));
});

test("a provisioned volume of policy Delete given to a claim that has another is Released, so destroyed", async (t) => {
  const place = await newPlace(t, admin);
  const { claim } = await newBoundPair(t, admin, place);
  const annotations = { "pv.kubernetes.io/provisioned-by": "contract.portway.dev" };
  const second = await newVolume(t, admin, place, { policy: "Delete", annotations, claimRef: referenceTo(claim) });
  const { spec } = await volumeThatIs("Released", admin, keyOf(second));
  equal(spec?.claimRef?.uid, claim.metadata.uid);
});

test("a volume the binder itself had given to a claim that has another is free for everybody", async (t) => {
  const place = await newPlace(t, admin);
  const { claim } = await newBoundPair(t, admin, place);
  const annotations = { "pv.kubernetes.io/bound-by-controller": "yes" };
  const second = await newVolume(t, admin, place, { annotations, claimRef: referenceTo(claim) });
  const { spec } = await volumeThatIs("Available", admin, keyOf(second));
  equal(spec?.claimRef, undefined);
});

test("a volume somebody had given to a claim that has another stays reserved for its name", async (t) => {
  const place = await newPlace(t, admin);
  const { claim } = await newBoundPair(t, admin, place);
  const second = await newVolume(t, admin, place, { claimRef: referenceTo(claim) });
  const { spec } = await volumeThatIs("Available", admin, keyOf(second));
  deepEqual([spec?.claimRef?.name, spec?.claimRef?.uid], [claim.metadata.name, undefined]);
});
