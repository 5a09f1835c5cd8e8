import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { type PersistentVolumeClaimSpec, persistentVolumes } from "../../src/api/gen/core.ts";
import {
  binderCatchesUp,
  claimPhase,
  claimThatIs,
  giveTo,
  kickedUntil,
  newClaim,
  newPlace,
  newReleasedVolume,
  referenceTo,
  touch,
  volumeThatIs,
} from "../fixture/binding.ts";
import { adminClient, keyOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";

/** What the binder looks at before it binds a claim to a volume of 1Gi, ReadWriteOnce, that was given to its uid. */
const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

const selector = { matchLabels: { no: "volume" } };
const tooMuch: PersistentVolumeClaimSpec = { resources: { requests: { storage: "100Gi" } } };
const otherMode: PersistentVolumeClaimSpec = { accessModes: ["ReadWriteMany"] };

test("a claim that names the volume is bound whatever size, mode, class and selector it asks for", async (t) => {
  const place = await newPlace(t, admin);
  const volume = await newReleasedVolume(t, admin, place);
  const wish = { ...tooMuch, ...otherMode, selector, volumeName: volume.metadata.name };
  const claim = await newClaim(admin, { ...place, className: "" }, wish);
  await giveTo(admin, volume, referenceTo(claim));
  await volumeThatIs("Bound", admin, keyOf(volume));
  const { spec, status } = await kickedUntil("Bound", admin, claim);
  deepEqual([spec?.storageClassName, spec?.resources?.requests?.["storage"]], ["", "100Gi"]);
  deepEqual([status?.capacity, status?.accessModes], [{ storage: "1Gi" }, ["ReadWriteOnce"]]);
});

test("a claim that does not name the volume is bound whatever class and selector it asks for", async (t) => {
  const place = await newPlace(t, admin);
  const volume = await newReleasedVolume(t, admin, place);
  const claim = await newClaim(admin, { ...place, className: "" }, { selector });
  await giveTo(admin, volume, referenceTo(claim));
  equal((await claimThatIs("Bound", admin, keyOf(claim))).spec?.volumeName, volume.metadata.name);
});

const unfit: readonly (readonly [says: string, spec: PersistentVolumeClaimSpec])[] = [
  ["asks for more than the volume has", tooMuch],
  ["asks for a mode the volume has not", otherMode],
];

for (const [says, spec] of unfit) {
  test(`a claim that does not name the volume and ${says} stays Pending, and the volume Released`, async (t) => {
    const place = await newPlace(t, admin);
    const volume = await newReleasedVolume(t, admin, place);
    const claim = await newClaim(admin, place, spec);
    await giveTo(admin, volume, referenceTo(claim));
    await touch(admin, claim);
    await binderCatchesUp(t, admin, place);
    equal(await claimPhase(admin, claim), "Pending");
    const { spec: now, status } = await admin.get(persistentVolumes, keyOf(volume));
    deepEqual([now?.claimRef?.uid, status?.phase], [claim.metadata.uid, "Released"], "Delete would destroy it");
  });
}
