import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { nodes } from "../../src/api/gen/core.ts";
import { type CSIStorageCapacity, csiNodes, csiStorageCapacities, storageClasses } from "../../src/api/gen/storage.ts";
import type { Stored } from "../../src/api/object.ts";
import { csiWorld } from "../driver/place.ts";
import { adminClient, keyOf, randomWord } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { postAt } from "./sidecar.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

const zone = "topology.portway.dev/zone";

test("what the driver has left is told for every class in every zone, and no longer when the zone is gone", async (t) => {
  const name = `room-${randomWord()}.portway.dev`;
  const { place } = await csiWorld(t, { name, topology: { [zone]: "east" }, capacityBytes: 5n << 30n });
  for (const where of ["east", "west"]) {
    const node = await admin.create(nodes, { metadata: { name: `${where}-${name}`, labels: { [zone]: where } } });
    t.after(() => admin.delete(nodes, keyOf(node)).catch(() => undefined));
    const drivers = [{ name, nodeID: where, topologyKeys: [zone] }];
    const csiNode = await admin.create(csiNodes, { metadata: { name: `${where}-${name}` }, spec: { drivers } });
    t.after(() => admin.delete(csiNodes, keyOf(csiNode)).catch(() => undefined));
  }
  for (const [suffix, volumeBindingMode] of [
    ["late", "WaitForFirstConsumer"],
    ["now", "Immediate"],
  ] as const) {
    const made = await admin.create(storageClasses, {
      metadata: { name: `${name}-${suffix}` },
      provisioner: name,
      volumeBindingMode,
    });
    t.after(() => admin.delete(storageClasses, keyOf(made)));
  }
  const post = await postAt(t, cluster, place.socket);
  const flags = ["--enable-capacity", "--capacity-ownerref-level=-1", "--capacity-poll-interval=1s"];
  const first = await post.startWith({ NAMESPACE: post.namespace }, "ours", ...flags);

  const told = async (): Promise<readonly Stored<CSIStorageCapacity>[]> => {
    const pages = await Array.fromAsync(admin.pages(csiStorageCapacities, { namespace: post.namespace }));
    return pages.flatMap(({ items }) => items);
  };
  const zones = (all: readonly CSIStorageCapacity[]) =>
    all.map(({ nodeTopology }) => nodeTopology?.matchLabels?.[zone] ?? "").sort();
  await until("both zones are told", async () => (await told()).length === 2);
  const all = await told();
  deepEqual(zones(all), ["east", "west"]);
  for (const { storageClassName, capacity, metadata } of all) {
    deepEqual([storageClassName, capacity], [`${name}-late`, "5Gi"], "of the class that waits for a pod, and no other");
    equal(metadata.labels?.["csi.storage.k8s.io/drivername"], name);
    equal(metadata.name.startsWith("csisc-"), true);
  }

  await first.stop();
  const again = await post.startWith({ NAMESPACE: post.namespace }, "ours", ...flags);
  const gone = await admin.get(nodes, { name: `west-${name}` });
  await admin.delete(nodes, keyOf(gone));
  await until("the zone that is gone is told no more", async () => zones(await told()).join() === "east");
  equal((await told())[0]?.metadata.uid, all.find((one) => zones([one])[0] === "east")?.metadata.uid, "not made anew");
  await again.stop();
});
