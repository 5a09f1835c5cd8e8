import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { persistentVolumeClaims, resourceQuotas } from "../../src/api/gen/core.ts";
import { adminClient, newNamespace } from "../fixture/client.ts";
import { installPortway } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { approve, ask, transferOf, untilComplete, untilTold } from "../fixture/transfer.ts";
import { transferController } from "../fixture/transfer-controller.ts";
import { hashIn, newRealClaim, volumeOf, writeInto } from "./real-volume.ts";
import { memberOf } from "./teams.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());
const controller = await transferController({ after }, cluster);

test("a golden image is cloned and handed to a tenant, who gets it when there is room, whatever happens to Portway", async (t) => {
  await controller.start();
  const [images, tenant] = [await newNamespace(t, admin), await newNamespace(t, admin)];
  const curator = await memberOf(t, cluster, "alice", images, "portway-approver");
  const renter = await memberOf(t, cluster, "bob", tenant, "portway-requester");
  await quota(tenant, "0");

  const golden = { namespace: images, name: "fedora" };
  await newRealClaim(curator, golden);
  const image = await volumeOf(cluster, admin, golden);
  await writeInto(image, randomBytes(1024 * 1024));
  const written = await hashIn(image);
  const [clone, disk] = [
    { namespace: images, name: "fedora-for-vm1" },
    { namespace: tenant, name: "vm1-root" },
  ];
  await newRealClaim(curator, clone, { dataSource: { kind: "PersistentVolumeClaim", name: "fedora" } });
  const cloned = await volumeOf(cluster, admin, clone);
  notEqual(cloned.handle, image.handle);
  equal(await hashIn(cloned), written);

  const transfer = transferOf(clone, disk);
  await approve(curator, transfer);
  await ask(renter, transfer);
  match(await untilTold(renter, transfer, "TargetRefused"), /exceeded quota/, "in the server's own words");
  equal((await curator.get(persistentVolumeClaims, clone)).status?.phase, "Bound", "and nothing is destroyed");

  await controller.killed();
  await quota(tenant, "1");
  await controller.start();
  await untilComplete(renter, transfer);
  const now = await volumeOf(cluster, admin, disk);
  deepEqual(now, cloned, "the same volume: name, uid, handle, policy, directory");
  equal(await hashIn(now), written);
  await writeInto(now, "booted");
  equal(await hashIn(image), written, "the image is as it was");
});

/** So many claims and no more; answers when the server counts them. */
async function quota(namespace: string, persistentvolumeclaims: string): Promise<void> {
  const key = { namespace, name: "disks" };
  const hard = { persistentvolumeclaims };
  const found = await admin.find(resourceQuotas, key);
  if (found === undefined) await admin.create(resourceQuotas, { metadata: key, spec: { hard } });
  else await admin.merge(resourceQuotas, key, { spec: { hard } });
  await until(`the quota of ${namespace} is in force`, async () => {
    return (await admin.get(resourceQuotas, key)).status?.hard?.["persistentvolumeclaims"] === persistentvolumeclaims;
  });
}
