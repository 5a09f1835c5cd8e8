import type { TestContext } from "node:test";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../src/api/gen/core.ts";
import type { KubeObject, Metadata, Resource, Stored } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import { newClaim } from "../fixture/binding.ts";
import { keyOf, randomWord } from "../fixture/client.ts";

/** What Portway writes on claims and volumes, and how it is put on and taken off. */
export interface Mark {
  readonly name: string;
  readonly on: (value: string) => Metadata;
  readonly off: object;
}

/** A finalizer of somebody else's, so that taking ours off leaves a list behind. */
const stranger = "example.dev/stranger";
export const hold = "transfer.portway.dev/hold";

export const marks: readonly Mark[] = [
  ...[
    "transfer.portway.dev/journal",
    "transfer.portway.dev/id",
    "pv.kubernetes.io/transfer-status",
    "pv.kubernetes.io/transfer-source",
    "pv.kubernetes.io/transfer-destination",
    "pvc.kubernetes.io/transfer-status",
  ].map(annotation),
  { name: `the finalizer ${hold}`, on: () => ({ finalizers: [stranger, hold] }), off: { finalizers: [stranger] } },
];

export function annotation(name: string): Mark {
  return { name, on: (value) => ({ annotations: { [name]: value } }), off: { annotations: { [name]: null } } };
}

/** All of them at once. */
export const everyMark: Metadata = {
  annotations: Object.assign({}, ...marks.map(({ on }) => on("restored").annotations)) as Record<string, string>,
  finalizers: [hold],
};

/** Objects made by somebody, and let go by the admin when the test is over, whatever still holds them. */
export interface Maker {
  readonly t: TestContext;
  readonly as: Client;
  readonly admin: Client;
}

const className = "none-such";

export async function aClaim(
  { t, as, admin }: Maker,
  namespace: string,
  metadata: Metadata = {},
): Promise<Stored<PersistentVolumeClaim>> {
  const claim = await newClaim(as, { namespace, className }, {}, { name: `c-${randomWord()}`, ...metadata });
  t.after(() => letGo(admin, persistentVolumeClaims, claim));
  return claim;
}

export async function aVolume({ t, as, admin }: Maker, metadata: Metadata = {}): Promise<Stored<PersistentVolume>> {
  const volume = await as.create(persistentVolumes, {
    metadata: { name: `t-${randomWord()}`, ...metadata },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      csi: { driver: "contract.portway.dev", volumeHandle: randomWord() },
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: className,
    },
  });
  t.after(() => letGo(admin, persistentVolumes, volume));
  return volume;
}

export async function letGo(admin: Client, resource: Resource, object: Stored<KubeObject>): Promise<void> {
  if ((await admin.find(resource, keyOf(object)))?.metadata.uid !== object.metadata.uid) return;
  await admin.merge(resource, keyOf(object), { metadata: { finalizers: null } });
  if ((await admin.find(resource, keyOf(object))) !== undefined) await admin.delete(resource, keyOf(object));
}
