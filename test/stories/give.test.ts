import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { seedClaimStatus } from "../../src/api/transfer/names.ts";
import { type Person, personWith } from "../cli/person.ts";
import { deleteClaim } from "../fixture/binding.ts";
import { newNamespace } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { transferGround } from "../transfer/ground.ts";
import { hashIn, isOnDisk, newRealClaim, type RealVolume, snapshotOf, volumeOf, writeInto } from "./real-volume.ts";

/* The three stories of the give, as its users tell them: with a clone, with a snapshot, and with an application's own data. */
const { cluster, admin, controller } = await transferGround();

/** Alice administers staging, where the data is made, and Bob production, where it is used. */
async function stagingAndProduction(t: TestContext) {
  const [from, to] = [await newNamespace(t, admin), await newNamespace(t, admin)];
  const [alice, bob] = [
    await tenantWith(t, cluster, "alice", from, "admin"),
    await tenantWith(t, cluster, "bob", to, "admin"),
  ];
  const person = (name: string) => ({
    ...personWith(t, cluster.kubeconfigOf(name)),
    types: (words: readonly string[], input?: string) =>
      cluster.kubectl(words, { kubeconfig: cluster.kubeconfigOf(name), ...(input === undefined ? {} : { input }) }),
  });
  return { from, to, alice: { ...person("alice"), client: alice }, bob: { ...person("bob"), client: bob } };
}

/** Says it, and it works. */
async function said(person: Pick<Person, "says">, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await person.says(...words);
  equal(code, 0, stderr);
  return `${stdout}${stderr}`;
}

async function untilArrived(key: { readonly namespace: string; readonly name: string }): Promise<void> {
  await until(`${key.name} has arrived`, async () => {
    const claim = await admin.get(persistentVolumeClaims, key);
    return claim.status?.phase === "Bound" && claim.metadata.annotations?.[seedClaimStatus] === "complete";
  });
}

/** It is used there as any other: written to, and destroyed with its claim. */
async function isTheirs(before: RealVolume, written: string, key: { namespace: string; name: string }): Promise<void> {
  const now = await volumeOf(cluster, admin, key);
  deepEqual(now, before, "the same volume: name, uid, handle, policy, directory");
  equal(now.policy, "Delete");
  equal(await hashIn(now), written);
  await writeInto(now, "production goes on from here");
  await deleteClaim(admin, await admin.get(persistentVolumeClaims, key));
  await until("the volume is destroyed with its new claim", () => !isOnDisk(now));
}

test("a volume is cloned, and the clone is used in another namespace", async (t) => {
  const { from, to, alice, bob } = await stagingAndProduction(t);
  const [original, clone] = [
    { namespace: from, name: "photos" },
    { namespace: from, name: "photos-clone" },
  ];
  await newRealClaim(alice.client, original);
  const first = await volumeOf(cluster, admin, original);
  await writeInto(first, randomBytes(1024 * 1024));
  const written = await hashIn(first);
  await newRealClaim(alice.client, clone, { dataSource: { kind: "PersistentVolumeClaim", name: "photos" } });
  const before = await volumeOf(cluster, admin, clone);
  notEqual(before.handle, first.handle);
  const told = await said(alice, "give", "photos-clone", `${to}/photos`, "-n", from, "--delete", "--yes");
  const [, line = ""] = /kubectl portway (accept .*)$/m.exec(told) ?? [];
  match(await said(bob, ...line.split(" ")), /persistentvolumeclaim\/photos accepts/);
  await untilArrived({ namespace: to, name: "photos" });
  await isTheirs(before, written, { namespace: to, name: "photos" });
  equal(await hashIn(first), written, "the original is where it was");
});

test("a volume is made from a snapshot, and used in another namespace, with nothing but kubectl", async (t) => {
  const { from, to, alice, bob } = await stagingAndProduction(t);
  const [db, restored] = [
    { namespace: from, name: "db" },
    { namespace: from, name: "db-restored" },
  ];
  await newRealClaim(alice.client, db);
  const first = await volumeOf(cluster, admin, db);
  await writeInto(first, randomBytes(1024 * 1024));
  const written = await hashIn(first);
  const dataSource = await snapshotOf(admin, db);
  await writeInto(first, "overwritten after the snapshot");
  await newRealClaim(alice.client, restored, { dataSource });
  const before = await volumeOf(cluster, admin, restored);
  await bob.types(["create", "-f", "-"], claimThatAccepts(`${from}/db-restored`, { namespace: to, name: "db" }));
  await alice.types(["-n", from, "annotate", "pvc", "db-restored", `transferRequest=${to}/db`]);
  await alice.types(["-n", from, "delete", "pvc", "db-restored", "--wait=false"]);
  await untilArrived({ namespace: to, name: "db" });
  await isTheirs(before, written, { namespace: to, name: "db" });
});

function claimThatAccepts(transferAccept: string, key: { readonly namespace: string; readonly name: string }): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { ...key, annotations: { transferAccept } },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "hostpath",
      resources: { requests: { storage: "16Mi" } },
    },
  });
}

test("an application's data is given away, waits for somebody, and is used in another namespace", async (t) => {
  const { from, to, alice, bob } = await stagingAndProduction(t);
  const [ours, theirs] = [
    { namespace: from, name: "model" },
    { namespace: to, name: "model" },
  ];
  await newRealClaim(alice.client, ours);
  const before = await volumeOf(cluster, admin, ours);
  await writeInto(before, randomBytes(1024 * 1024));
  const written = await hashIn(before);
  await said(alice, "give", "model", `${to}/model`, "-n", from);
  await alice.types(["-n", from, "delete", "pvc", "model"]);
  equal(await hashIn(before), written, "nobody has it, and it is kept");
  await controller.killed();
  await controller.start();
  await said(bob, "accept", `${from}/model`, "-n", to, "--size=16Mi", "--class=hostpath");
  await untilArrived(theirs);
  await isTheirs(before, written, theirs);
});
