import { after, type TestContext } from "node:test";
import {
  namespaces,
  type PersistentVolumeClaimSpec,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../src/api/gen/core.ts";
import { journalOn } from "../../src/api/transfer/journal.ts";
import type { Client } from "../../src/kube/client.ts";
import { type Claim, claimThatIs, newClaim, type Place, type Volume, volumeThatIs } from "../fixture/binding.ts";
import { adminClient, randomWord } from "../fixture/client.ts";
import { installPortway } from "../fixture/install.ts";
import { type LaneCluster, laneCluster } from "../fixture/lane.ts";
import { type Transfer, transferOf } from "../fixture/transfer.ts";
import { type TransferController, transferController } from "../fixture/transfer-controller.ts";
import { drop } from "./flows/world.ts";

/** The lane's cluster with Portway at work on it, until the file is done. */
export interface Ground {
  readonly cluster: LaneCluster;
  readonly admin: Client;
  readonly controller: TransferController;
}

export async function transferGround(): Promise<Ground> {
  const cluster = await laneCluster();
  await installPortway(cluster);
  const admin = await adminClient(cluster);
  after(() => admin.close());
  const controller = await transferController({ after }, cluster);
  await controller.start();
  return { cluster, admin, controller };
}

export interface Pair {
  readonly place: Place;
  readonly claim: Claim;
  readonly volume: Volume;
  readonly transfer: Transfer;
}

/** A claim in a namespace of its own, bound to a volume that its deletion would destroy, and another namespace to go to. */
export async function boundPair(t: TestContext, admin: Client, spec: PersistentVolumeClaimSpec = {}): Promise<Pair> {
  const place = { namespace: await aNamespace(t, admin), className: `manual-${randomWord()}` };
  const to = { namespace: await aNamespace(t, admin), name: "bar" };
  return { place, ...(await boundAs(t, admin, place, spec)), transfer: transferOf({ ...place, name: "foo" }, to) };
}

export async function boundAs(
  t: TestContext,
  admin: Client,
  place: Place,
  spec: PersistentVolumeClaimSpec = {},
  name = "foo",
) {
  const { metadata } = await aVolume(t, admin, place);
  // A claim that is quicker at the binder than the volume it names would wait for the next round.
  await volumeThatIs("Available", admin, metadata);
  await newClaim(admin, place, { volumeName: metadata.name, ...spec }, { name });
  const claim = await claimThatIs("Bound", admin, { namespace: place.namespace, name });
  return { claim, volume: await volumeThatIs("Bound", admin, metadata) };
}

/** They go with the test, if the test has left them there. */
async function aNamespace(t: TestContext, admin: Client): Promise<string> {
  const name = `t-${randomWord()}`;
  await admin.create(namespaces, { metadata: { name } });
  t.after(() => drop(admin, namespaces, { name }));
  return name;
}

async function aVolume(t: TestContext, admin: Client, { className }: Place): Promise<Volume> {
  const name = `t-${randomWord()}`;
  t.after(() => drop(admin, persistentVolumes, { name }));
  return await admin.create(persistentVolumes, {
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      csi: { driver: "contract.portway.dev", volumeHandle: name },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: className,
    },
  });
}

/** That nothing of ours was ever written to them. */
export async function areUntouched(admin: Client, { claim, volume }: Pick<Pair, "claim" | "volume">): Promise<boolean> {
  const { namespace = "", name, uid } = claim.metadata;
  const found = await admin.find(persistentVolumeClaims, { namespace, name });
  const disk = await admin.get(persistentVolumes, { name: volume.metadata.name });
  const isSameClaim = found?.metadata.uid === uid && found.metadata.deletionTimestamp === undefined;
  return isSameClaim && journalOn(disk).is === "none" && disk.spec?.persistentVolumeReclaimPolicy === "Delete";
}
