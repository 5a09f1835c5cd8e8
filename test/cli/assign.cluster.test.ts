import { deepEqual, equal, match } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { namespaces, persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { type Journal, journalOn, type Outcome } from "../../src/api/transfer/journal.ts";
import { journalAnnotation } from "../../src/api/transfer/names.ts";
import { deleteClaim } from "../fixture/binding.ts";
import { allowEverywhere } from "../fixture/tenant.ts";
import type { World } from "../transfer/flows/world.ts";
import { cliStage, newWorld, person } from "./stage.ts";

const stage = await cliStage({ controller: true });
const { admin, cluster } = stage;

/** A volume whose transfer ended like this, and whose source is gone. */
async function afterTransfer(t: TestContext, outcome: Outcome | undefined): Promise<World> {
  const world = await newWorld(t, stage);
  const claim = await admin.get(persistentVolumeClaims, { namespace: world.from, name: "foo" });
  const volume = await admin.get(persistentVolumes, { name: world.volume });
  const uidOf = async (name: string) => (await admin.get(namespaces, { name })).metadata.uid;
  const journal: Journal = {
    v: 1,
    id: "00000000-0000-4000-8000-000000000000",
    volumeUID: volume.metadata.uid,
    source: { namespace: world.from, namespaceUID: await uidOf(world.from), name: "foo", uid: claim.metadata.uid },
    target: { namespace: world.to, namespaceUID: await uidOf(world.to), name: "bar" },
    request: { name: "r", uid: "11111111-0000-4000-8000-000000000000" },
    approval: { name: "a", uid: "22222222-0000-4000-8000-000000000000" },
    policy: "Delete",
    boundByController: false,
    claim: { accessModes: ["ReadWriteOnce"], storage: "1Gi", storageClassName: volume.spec?.storageClassName ?? "" },
    startedAt: "2026-01-01T00:00:00Z",
    ...(outcome === undefined ? {} : { outcome, endedAt: "2026-01-01T00:00:01Z" }),
  };
  await admin.merge(
    persistentVolumes,
    { name: world.volume },
    {
      metadata: { annotations: { [journalAnnotation]: JSON.stringify(journal) } },
      spec: { persistentVolumeReclaimPolicy: "Retain" },
    },
  );
  if (outcome === "orphaned") await deleteClaim(admin, claim);
  return world;
}

test("an orphaned volume is given to a new claim, and keeps Retain", async (t) => {
  const { to, volume } = await afterTransfer(t, "orphaned");
  const { code, stdout, stderr } = await person(t, stage, "admin").says("assign", volume, `${to}/rescued`, "--yes");
  equal(code, 0, stderr);
  equal(stdout, `persistentvolume/${volume} assigned\n`);
  const claim = await admin.get(persistentVolumeClaims, { namespace: to, name: "rescued" });
  const now = await admin.get(persistentVolumes, { name: volume });
  deepEqual([claim.status?.phase, claim.spec?.volumeName], ["Bound", volume]);
  deepEqual([now.spec?.persistentVolumeReclaimPolicy, now.spec?.claimRef?.uid], ["Retain", claim.metadata.uid]);
  const reading = journalOn(now);
  equal(reading.is === "journal" && reading.journal.target.uid, claim.metadata.uid, "the record says who got it");
  const again = await person(t, stage, "admin").says("assign", volume, `${to}/another`, "--yes");
  equal(again.code, 1);
  match(again.stderr, /belongs to the claim .*\/rescued already\nTo move it on, use a transfer/);
});

test("the old policy comes back when it is wanted", async (t) => {
  const { to, volume } = await afterTransfer(t, "orphaned");
  const words = ["assign", volume, `${to}/rescued`, "--yes", "--restore-policy"];
  const { code, stderr } = await person(t, stage, "admin").says(...words);
  equal(code, 0, stderr);
  equal((await admin.get(persistentVolumes, { name: volume })).spec?.persistentVolumeReclaimPolicy, "Delete");
});

test("a claim that waits and fits takes it; one that does not fit is told why", async (t) => {
  const { to, volume } = await afterTransfer(t, "orphaned");
  const { spec: disk } = await admin.get(persistentVolumes, { name: volume });
  const wanted = (name: string, storage: string) => ({
    metadata: { namespace: to, name },
    spec: {
      accessModes: ["ReadWriteOnce" as const],
      resources: { requests: { storage } },
      storageClassName: disk?.storageClassName ?? "",
      volumeName: volume,
    },
  });
  await admin.create(persistentVolumeClaims, wanted("big", "2Gi"));
  await admin.create(persistentVolumeClaims, wanted("fits", "1Gi"));
  const root = person(t, stage, "admin");
  const refused = await root.says("assign", volume, `${to}/big`, "--yes");
  equal(refused.code, 1);
  match(refused.stderr, /\/big cannot take the volume .*: it asks for more than the volume has\nName a claim/);
  const done = await root.says("assign", volume, `${to}/fits`, "--yes");
  equal(done.code, 0, done.stderr);
});

test("a dry run changes nothing", async (t) => {
  const { to, volume } = await afterTransfer(t, "orphaned");
  const before = await admin.get(persistentVolumes, { name: volume });
  for (const how of ["client", "server"]) {
    const { code, stderr } = await person(t, stage, "admin").says("assign", volume, `${to}/x`, `--dry-run=${how}`);
    equal(code, 0, stderr);
  }
  // The binder may write to its status meanwhile.
  const after = await admin.get(persistentVolumes, { name: volume });
  deepEqual([after.spec, after.metadata.annotations], [before.spec, before.metadata.annotations]);
  equal(await admin.find(persistentVolumeClaims, { namespace: to, name: "x" }), undefined);
});

for (const [outcome, says] of [
  ["complete", /is not orphaned: its transfer is complete/],
  ["rolled-back", /is not orphaned: its transfer is rolled-back/],
] as const) {
  test(`a volume whose transfer is ${outcome} is nobody's to give away`, async (t) => {
    const { to, volume } = await afterTransfer(t, outcome);
    const { code, stderr } = await person(t, stage, "admin").says("assign", volume, `${to}/x`, "--yes");
    equal(code, 1);
    match(stderr, says);
  });
}

test("it takes the right to repair, and no more than rights on volumes and claims beside it", async (t) => {
  const { to, volume } = await afterTransfer(t, "orphaned");
  await cluster.kubectl(["-n", to, "create", "rolebinding", "m", "--clusterrole=edit", "--user=mallory"]);
  await allowEverywhere(t, cluster, { user: "mallory", resource: "persistentvolumes", verbs: ["get", "patch"] });
  await allowEverywhere(t, cluster, { user: "mallory", resource: "persistentvolumeclaims", verbs: ["get"] });
  await allowEverywhere(t, cluster, { user: "mallory", resource: "namespaces", verbs: ["get"] });
  const mallory = person(t, stage, "mallory");
  const refused = await mallory.says("assign", volume, `${to}/rescued`, "--yes");
  equal(refused.code, 1);
  match(refused.stderr, /mallory may not change transfer\.portway\.dev\/journal/, "the server's own words");
  match(refused.stderr, /The policy portway-own-marks decides so/);
  equal(
    await admin.find(persistentVolumeClaims, { namespace: to, name: "rescued" }),
    undefined,
    "nothing is left behind",
  );
  await allowEverywhere(t, cluster, { user: "mallory", resource: "persistentvolumes", verbs: ["repair"] });
  const done = await mallory.says("assign", volume, `${to}/rescued`, "--yes");
  equal(done.code, 0, done.stderr);
});
