import { namespaces, type PersistentVolume, persistentVolumeClaims } from "../../../src/api/gen/core.ts";
import {
  storageTransferApprovals,
  storageTransferPolicies,
  storageTransferRequests,
} from "../../../src/api/gen/transfer.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { type Arriving, whenArrives } from "./tripwire.ts";
import { drop, untilGone, type World } from "./world.ts";

type Admin = Pick<Stage, "admin">;
type Act = () => Promise<void>;

/** People do these things at the worst moment: when a write of the engine is just about to be stored. */
function at(world: World, isMeant: (write: Arriving) => boolean, act: Act): void {
  world.after.push(whenArrives(isMeant, act));
}

const isOf =
  (operation: Arriving["operation"], resource: string, name: string, namespace?: string) => (write: Arriving) =>
    write.operation === operation &&
    write.resource.resource === resource &&
    write.name === name &&
    (namespace === undefined || write.namespace === namespace);

export function whenLocked(world: World, act: Act): void {
  at(world, isOf("UPDATE", "persistentvolumes", world.volume), act);
}

export function whenReserved(world: World, act: Act): void {
  at(world, isOf("CREATE", "persistentvolumeclaims", world.target, world.to), act);
}

export function whenFenced(world: World, act: Act): void {
  at(world, isOf("DELETE", "persistentvolumeclaims", world.source, world.from), act);
}

export function whenHandedOver(world: World, act: Act): void {
  const isPatch = isOf("UPDATE", "persistentvolumes", world.volume);
  const claimOf = (volume: PersistentVolume | undefined) => volume?.spec?.claimRef?.uid;
  at(world, (write) => isPatch(write) && claimOf(write.object) !== claimOf(write.oldObject), act);
}

export async function approvalWithdrawn({ from, approval }: World, { admin }: Admin): Promise<void> {
  await drop(admin, storageTransferApprovals, { namespace: from, name: approval });
}

export async function policyWithdrawn({ from, approval }: World, { admin }: Admin): Promise<void> {
  await drop(admin, storageTransferPolicies, { namespace: from, name: approval });
}

export async function requestWithdrawn({ to, request }: World, { admin }: Admin): Promise<void> {
  await drop(admin, storageTransferRequests, { namespace: to, name: request });
}

export async function targetDeleted({ to, target }: World, { admin }: Admin): Promise<void> {
  await drop(admin, persistentVolumeClaims, { namespace: to, name: target });
  await untilGone(admin, persistentVolumeClaims, { namespace: to, name: target });
}

/** Somebody else's claim under the target's name. */
export async function targetTaken({ to, target, className }: World, { admin }: Admin): Promise<void> {
  await admin.create(persistentVolumeClaims, {
    metadata: { namespace: to, name: target },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: `${className}-other`,
    },
  });
}

export async function targetNamespaceDeleted(world: World, { admin }: Admin): Promise<void> {
  const { to: namespace, target, request } = world;
  await drop(admin, namespaces, { name: namespace });
  await untilGone(admin, persistentVolumeClaims, { namespace, name: target });
  await untilGone(admin, storageTransferRequests, { namespace, name: request });
}

export async function sourceNamespaceDeleted(world: World, { admin }: Admin): Promise<void> {
  const { from: namespace, source, approval } = world;
  await drop(admin, namespaces, { name: namespace });
  await untilGone(admin, persistentVolumeClaims, { namespace, name: source });
  await untilGone(admin, storageTransferApprovals, { namespace, name: approval });
}
