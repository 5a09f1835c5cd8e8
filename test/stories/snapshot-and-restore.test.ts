import { equal, notEqual } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { adminClient, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { hashIn, newRealClaim, snapshotOf, volumeOf, writeInto } from "./real-volume.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

test("a snapshot of a real volume is restored into a second claim, byte for byte", async (t) => {
  const namespace = await newNamespace(t, admin);
  const [photos, restored] = [
    { namespace, name: "photos" },
    { namespace, name: "photos-restored" },
  ];
  await newRealClaim(admin, photos);
  const first = await volumeOf(cluster, admin, photos);
  await writeInto(first, randomBytes(1024 * 1024));
  const written = await hashIn(first);
  const dataSource = await snapshotOf(admin, photos);
  await writeInto(first, "overwritten after the snapshot");
  await newRealClaim(admin, restored, { dataSource });
  const second = await volumeOf(cluster, admin, restored);
  equal(await hashIn(second), written);
  notEqual(second.name, first.name, "the restored claim has a volume of its own");
});
