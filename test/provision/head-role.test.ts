import { deepEqual, equal, match } from "node:assert/strict";
import { after, test } from "node:test";
import { events, persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { volumeSnapshots } from "../../src/api/gen/snapshot.ts";
import { storageClasses, volumeAttributesClasses } from "../../src/api/gen/storage.ts";
import { snapshotFinalizer } from "../../src/provision/names.ts";
import { csiInventory } from "../driver/csi-inventory.ts";
import { csiWorld } from "../driver/place.ts";
import { claimThatIs } from "../fixture/binding.ts";
import { adminClient, keyOf, newNamespace, randomWord } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { newRealClaim, snapshotOf, volumeOf, writeInto } from "../stories/real-volume.ts";
import { postAt } from "./sidecar.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

/** What the role of upstream's newest version has beyond that of v5.1.0. */
const more = [
  { apiGroups: ["snapshot.storage.k8s.io"], resources: ["volumesnapshots"], verbs: ["watch", "update"] },
  { apiGroups: ["storage.k8s.io"], resources: ["volumeattributesclasses"], verbs: ["get", "list", "watch"] },
];

async function attributesWorld(t: Parameters<typeof csiWorld>[0]) {
  const name = `tiers-${randomWord()}.portway.dev`;
  const { place } = await csiWorld(t, { name });
  const storageClass = await admin.create(storageClasses, { metadata: { name }, provisioner: name });
  t.after(() => admin.delete(storageClasses, keyOf(storageClass)));
  const gold = await admin.create(volumeAttributesClasses, {
    metadata: { name },
    driverName: name,
    parameters: { tier: "gold" },
  });
  t.after(() => admin.delete(volumeAttributesClasses, keyOf(gold)));
  const namespace = await newNamespace(t, admin);
  const claim = { namespace, name: "data" };
  await admin.create(persistentVolumeClaims, {
    metadata: claim,
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Mi" } },
      storageClassName: name,
      volumeAttributesClassName: name,
    },
  });
  return { place, claim, post: await postAt(t, cluster, place.socket) };
}

test("a VolumeAttributesClass reaches the driver under the role that allows it to be read", async (t) => {
  const { place, claim, post } = await attributesWorld(t);
  await post.allow(more);
  await post.start("ours");
  await claimThatIs("Bound", admin, claim);
  deepEqual(
    Object.values(csiInventory(place.state).read().volumes).map(({ mutableParameters }) => mutableParameters),
    [{ tier: "gold" }],
  );
});

test("under the role of v5.1.0 such a claim is refused in words, and gets no volume without it", async (t) => {
  const { place, claim, post } = await attributesWorld(t);
  await post.start("ours");
  const told = async () => {
    const pages = await Array.fromAsync(admin.pages(events, { namespace: claim.namespace }));
    return pages.flatMap(({ items }) => items).filter(({ reason }) => reason === "ProvisioningFailed");
  };
  await until("it is told", async () => (await told()).length > 0);
  match((await told())[0]?.message ?? "", /VolumeAttributesClass: take it out, or widen/);
  equal(Object.keys(csiInventory(place.state).read().volumes).length, 0);
});

test("a snapshot is held while it is restored, and let go when the claim is there", async (t) => {
  const post = await postAt(t, cluster, cluster.state.env["PORTWAY_DEV_CSI_SOCKET"] ?? "");
  await post.allow(more);
  await post.start("ours");
  const namespace = await newNamespace(t, admin);
  const [source, target] = [
    { namespace, name: "photos" },
    { namespace, name: "photos-restored" },
  ];
  await newRealClaim(admin, source);
  await writeInto(await volumeOf(cluster, admin, source), "a picture");
  const dataSource = await snapshotOf(admin, source);
  const { name } = dataSource;
  const seen: string[] = [];
  const stop = new AbortController();
  const looking = (async () => {
    const { body } = await admin.watch(volumeSnapshots, { namespace }, {}, { signal: stop.signal });
    for await (const chunk of body) seen.push(String(chunk));
  })().catch(() => undefined);
  await newRealClaim(admin, target, { dataSource });
  const isHeld = async () =>
    (await admin.get(volumeSnapshots, { namespace, name })).metadata.finalizers?.includes(snapshotFinalizer);
  await until("it is let go", async () => (await isHeld()) !== true);
  stop.abort();
  await looking;
  equal(seen.join("").includes(snapshotFinalizer), true, "it was held in between");
});
