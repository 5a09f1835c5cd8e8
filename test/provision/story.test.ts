import { equal, notEqual } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { volumeSnapshots } from "../../src/api/gen/snapshot.ts";
import { adminClient, keyOf, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { hashIn, isOnDisk, newRealClaim, snapshotOf, volumeOf, writeInto } from "../stories/real-volume.ts";
import { postAt } from "./sidecar.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

test("Alice takes a snapshot, loses her table and has it back; Bob works on a clone: with Portway serving the class", async (t) => {
  const post = await postAt(t, cluster, cluster.state.env["PORTWAY_DEV_CSI_SOCKET"] ?? "");
  await post.start("ours");
  const namespace = await newNamespace(t, admin);
  const [table, restored, clone] = ["table", "table-restored", "table-of-bob"].map((name) => ({ namespace, name }));
  if (table === undefined || restored === undefined || clone === undefined) throw new Error("three claims are needed");

  await newRealClaim(admin, table);
  const first = await volumeOf(cluster, admin, table);
  await writeInto(first, randomBytes(1024 * 1024));
  const written = await hashIn(first);

  const dataSource = await snapshotOf(admin, table);
  await writeInto(first, "DROP TABLE");
  await newRealClaim(admin, restored, { dataSource });
  const second = await volumeOf(cluster, admin, restored);
  equal(await hashIn(second), written, "what the snapshot holds is back");
  notEqual(second.name, first.name);

  await newRealClaim(admin, clone, { dataSource: { kind: "PersistentVolumeClaim", name: restored.name } });
  const third = await volumeOf(cluster, admin, clone);
  equal(await hashIn(third), written, "the clone has the same bytes");
  await writeInto(third, "an experiment");
  equal(await hashIn(second), written, "and is a volume of its own");

  for (const key of [table, restored, clone]) {
    const claim = await admin.get(persistentVolumeClaims, key);
    equal(claim.metadata.finalizers?.some((one) => one.startsWith("provisioner.")) ?? false, false, key.name);
    await admin.delete(persistentVolumeClaims, keyOf(claim));
  }
  const nightly = await admin.get(volumeSnapshots, { namespace, name: dataSource.name });
  await admin.delete(volumeSnapshots, keyOf(nightly));
  await until("their volumes are gone from the disk", async () => ![first, second, third].some(isOnDisk));
});
