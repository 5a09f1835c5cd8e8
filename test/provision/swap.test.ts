import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { storageClasses } from "../../src/api/gen/storage.ts";
import { csiInventory } from "../driver/csi-inventory.ts";
import { csiWorld } from "../driver/place.ts";
import { adminClient, keyOf, newNamespace, randomWord } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import type { ProgramName } from "./compare/program.ts";
import { postAt } from "./sidecar.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

const terms = [
  "--leader-election-lease-duration=4s",
  "--leader-election-renew-deadline=3s",
  "--leader-election-retry-period=1s",
];
const watches: readonly (readonly [program: ProgramName, ends: NodeJS.Signals])[] = [
  ["go", "SIGKILL"],
  ["ours", "SIGKILL"],
  ["go", "SIGTERM"],
  ["ours", "SIGTERM"],
  ["go", "SIGKILL"],
  ["ours", "SIGTERM"],
];

test("claims come all the time while the Go sidecar is replaced by ours and back, killed or asked: none twice, none lost", async (t) => {
  const name = `swap-${randomWord()}.portway.dev`;
  const { place } = await csiWorld(t, { name });
  place.play([{ method: "CreateVolume", when: "before", fault: "slow", milliseconds: 300 }]);
  const post = await postAt(t, cluster, place.socket);
  const namespace = await newNamespace(t, admin);
  const storageClass = await admin.create(storageClasses, { metadata: { name }, provisioner: name });
  t.after(() => admin.delete(storageClasses, keyOf(storageClass)));

  const stop = new AbortController();
  const flow = (async () => {
    let made = 0;
    for (; !stop.signal.aborted; made++) {
      await admin.create(persistentVolumeClaims, {
        metadata: { namespace, name: `c-${made}` },
        spec: {
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: "1Mi" } },
          storageClassName: name,
        },
      });
      await sleep(150);
    }
    return made;
  })();
  const inventory = () => csiInventory(place.state).read();
  for (const [program, ends] of watches) {
    const before = Object.keys(inventory().volumes).length;
    const sidecar = await post.start(program, ...terms);
    await until(`${program} is at work`, async () => Object.keys(inventory().volumes).length >= before + 10);
    sidecar.kill(ends);
    await sidecar.ended;
  }
  stop.abort();
  const made = await flow;
  await post.start("ours", ...terms);

  const claims = async () => await allOf(namespace);
  await until("every claim is bound", async () => (await claims()).every(({ status }) => status?.phase === "Bound"));
  const volumes = await volumesOf(name);
  equal(volumes.length, made);
  deepEqual(Object.keys(inventory().volumes).sort(), volumes.map(({ spec }) => spec?.csi?.volumeHandle ?? "").sort());
  deepEqual(inventory().misuse, [], "nobody asked for one name with two requests");

  for (const claim of await claims()) await admin.delete(persistentVolumeClaims, keyOf(claim));
  await until("nothing is left in the driver", async () => Object.keys(inventory().volumes).length === 0);
  await until("nothing is left in the cluster", async () => (await volumesOf(name)).length === 0);
});

async function allOf(namespace: string) {
  const pages = await Array.fromAsync(admin.pages(persistentVolumeClaims, { namespace }));
  return pages.flatMap(({ items }) => items);
}

async function volumesOf(className: string) {
  const pages = await Array.fromAsync(admin.pages(persistentVolumes));
  return pages.flatMap(({ items }) => items).filter(({ spec }) => spec?.storageClassName === className);
}
