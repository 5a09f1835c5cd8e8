import { deepEqual, equal } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { seedMarks } from "../../src/api/transfer/names.ts";
import type { Client } from "../../src/kube/client.ts";
import { claimThatIs, newClaim } from "../fixture/binding.ts";
import { keyOf, newNamespace, randomWord } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { transferController } from "../fixture/transfer-controller.ts";
import { reaperOf } from "./flows/reaper.ts";
import { drop } from "./flows/world.ts";
import { accept, give } from "./giving.ts";
import { transferGround } from "./ground.ts";

const { cluster, admin, controller } = await transferGround();
const bursts = 200;
const names = Array.from({ length: bursts }, (_, at) => `data-${at}`);

/** Volumes that are destroyed when they are released, each with its claim in this namespace; by the claim's name. */
async function boundVolumes(t: TestContext, place: { readonly namespace: string; readonly className: string }) {
  const word = randomWord();
  const uids = await Promise.all(
    names.map(async (name) => {
      const { metadata } = await admin.create(persistentVolumes, {
        metadata: { name: `t-${word}-${name}` },
        spec: {
          accessModes: ["ReadWriteOnce"],
          capacity: { storage: "1Gi" },
          claimRef: { namespace: place.namespace, name },
          csi: { driver: "contract.portway.dev", volumeHandle: `${word}-${name}` },
          persistentVolumeReclaimPolicy: "Delete",
          storageClassName: place.className,
        },
      });
      t.after(() => drop(admin, persistentVolumes, { name: metadata.name }));
      await newClaim(admin, place, {}, { name });
      return [name, metadata.uid] as const;
    }),
  );
  for (const name of names) await claimThatIs("Bound", admin, { namespace: place.namespace, name });
  return new Map(uids);
}

/** Where a volume is now, and whether it is what it was. */
async function endOf(namespace: string, name: string) {
  const claim = await claimThatIs("Bound", admin, { namespace, name });
  const { metadata, spec } = await admin.get(persistentVolumes, { name: claim.spec?.volumeName ?? "" });
  return {
    uid: metadata.uid,
    isTheirs: spec?.claimRef?.uid === claim.metadata.uid,
    policy: spec?.persistentVolumeReclaimPolicy,
  };
}

async function arrivedIn(namespace: string): Promise<number> {
  const pages = await Array.fromAsync(admin.pages(persistentVolumes));
  const theirs = pages.flatMap(({ items }) => items).filter(({ spec }) => spec?.claimRef?.namespace === namespace);
  return theirs.filter(({ metadata }) => metadata.annotations?.[seedMarks.status] === "complete").length;
}

/** Whichever comes first: all of them take the binder more than a minute, and none of them is the next one for sure. */
async function untilAllArrived(namespace: string, before = 0): Promise<void> {
  let now = before;
  await until(`more than ${before} of ${bursts} have arrived`, async () => {
    await sleep(500);
    now = await arrivedIn(namespace);
    return now > before;
  });
  if (now < bursts) await untilAllArrived(namespace, now);
}

async function givesAndDeletes(alice: Client, from: string, to: string, name: string): Promise<void> {
  const annotations = { [give]: `${to}/${name}` };
  const given = await alice.merge(persistentVolumeClaims, { namespace: from, name }, { metadata: { annotations } });
  await alice.delete(persistentVolumeClaims, keyOf(given));
}

test(`${bursts} claims are given and deleted in one burst, and not one volume is lost`, async (t) => {
  await controller.stopped();
  const [from, to] = [await newNamespace(t, admin), await newNamespace(t, admin)];
  const alice = await tenantWith(t, cluster, "alice", from, "admin");
  const bob = await tenantWith(t, cluster, "bob", to, "admin");
  const place = { namespace: from, className: `manual-${randomWord()}` };
  const before = await boundVolumes(t, place);
  const reaper = await reaperOf(admin, ({ metadata }) => [...before.values()].includes(metadata.uid));
  t.after(() => reaper.stop());
  const generous = await transferController(t, cluster, [`--max-pending-gives=${bursts}`]);
  await generous.start();

  await Promise.all(names.map((name) => givesAndDeletes(alice, from, to, name)));
  for (const name of names)
    await until(`${name} is gone`, async () => {
      return (await admin.find(persistentVolumeClaims, { namespace: from, name })) === undefined;
    });
  reaper.mustNotHaveReaped();

  await Promise.all(
    names.map((name) =>
      newClaim(bob, { ...place, namespace: to }, {}, { name, annotations: { [accept]: `${from}/${name}` } }),
    ),
  );
  await untilAllArrived(to);
  const ends = await Promise.all(names.map((name) => endOf(to, name)));
  deepEqual(
    ends.map(({ uid }) => uid),
    [...before.values()],
  );
  equal(
    ends.every(({ isTheirs, policy }) => isTheirs && policy === "Delete"),
    true,
  );
  reaper.mustNotHaveReaped();
});
