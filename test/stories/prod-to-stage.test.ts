import { deepEqual, equal, ok } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { adminClient, keyOf, newNamespace } from "../fixture/client.ts";
import { installPortway } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { approve, ask, transferOf, untilComplete, untilTold } from "../fixture/transfer.ts";
import { transferController } from "../fixture/transfer-controller.ts";
import { hashIn, isOnDisk, newRealClaim, snapshotOf, volumeOf, writeInto } from "./real-volume.ts";
import { memberOf } from "./teams.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());
const controller = await transferController({ after }, cluster);

/** A tool of the giving team that wants to see the claim go; it holds the transfer where nobody has the volume. */
const backup = "prod.example.com/back-up";

test("a snapshot of prod's database is restored and handed to stage, although Portway dies half-way", async (t) => {
  await controller.start();
  const [prod, stage] = [await newNamespace(t, admin), await newNamespace(t, admin)];
  const alice = await memberOf(t, cluster, "alice", prod, "portway-approver");
  const bob = await memberOf(t, cluster, "bob", stage, "portway-requester");

  const db1 = { namespace: prod, name: "db1" };
  await newRealClaim(alice, db1);
  const production = await volumeOf(cluster, admin, db1);
  await writeInto(production, randomBytes(1024 * 1024));
  const written = await hashIn(production);
  const dataSource = await snapshotOf(admin, db1);
  const [given, received] = [
    { namespace: prod, name: "db1-test" },
    { namespace: stage, name: "db1-test" },
  ];
  await newRealClaim(alice, given, { dataSource, finalizers: [backup] });
  const before = await volumeOf(cluster, admin, given);
  equal(await hashIn(before), written, "the restored volume holds the snapshot");

  const transfer = transferOf(given, received);
  await ask(bob, transfer);
  await untilTold(bob, transfer, "AwaitingApproval");
  await approve(alice, transfer);
  await until("the source is being given up", async () => {
    return (await alice.get(persistentVolumeClaims, given)).metadata.deletionTimestamp !== undefined;
  });

  await controller.killed();
  await alice.merge(persistentVolumeClaims, given, { metadata: { finalizers: null } });
  await until("nobody has the volume", async () => {
    return (await admin.get(persistentVolumes, { name: before.name })).status?.phase === "Released";
  });
  await provisionerDestroysWhatIsReleased(prod);
  ok(isOnDisk(before), "the real provisioner has looked, and has left it alone");

  await controller.start();
  await untilComplete(bob, transfer);
  const now = await volumeOf(cluster, admin, received);
  deepEqual(now, before, "the same volume: name, uid, handle, policy, directory");
  equal(now.policy, "Delete");
  equal(await hashIn(now), written);
  equal(await alice.find(persistentVolumeClaims, given), undefined);

  await writeInto(now, "a schema change that goes wrong");
  equal(await hashIn(production), written, "production has not noticed");
  await bob.delete(persistentVolumeClaims, keyOf(await bob.get(persistentVolumeClaims, received)));
  await until("stage's volume is destroyed with stage's claim", () => !isOnDisk(now));
});

/** Whatever it has released before this one was seen before this one. */
async function provisionerDestroysWhatIsReleased(namespace: string): Promise<void> {
  const key = { namespace, name: "bystander" };
  await newRealClaim(admin, key);
  const volume = await volumeOf(cluster, admin, key);
  ok(isOnDisk(volume));
  await admin.delete(persistentVolumeClaims, keyOf(await admin.get(persistentVolumeClaims, key)));
  await until("the provisioner has destroyed the bystander's volume", () => !isOnDisk(volume));
}
