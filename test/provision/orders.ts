import type { PersistentVolumeClaimSpec } from "../../src/api/gen/core.ts";
import type { StorageClass } from "../../src/api/gen/storage.ts";
import type { DriverFacts } from "../../src/provision/driver-facts.ts";
import type { OrderInputs, OrderSettings } from "../../src/provision/make-order.ts";

export const driverName = "hostpath.csi.k8s.io";
export const uid = "0d2f3a54-9f0c-4a1e-8a53-7f3c1d5e9b21";
export const volumeName = `pvc-${uid}`;

export function aClaim(spec: PersistentVolumeClaimSpec = {}, annotations: Readonly<Record<string, string>> = {}) {
  return {
    metadata: { namespace: "team-a", name: "data", uid, resourceVersion: "42", annotations },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "fast",
      volumeMode: "Filesystem",
      ...spec,
    },
  } satisfies OrderInputs["claim"];
}

export function aClass(more: Partial<StorageClass> = {}): StorageClass {
  return { metadata: { name: "fast" }, provisioner: driverName, reclaimPolicy: "Delete", ...more };
}

export function aDriver(...more: readonly (DriverFacts["capabilities"] extends ReadonlySet<infer C> ? C : never)[]) {
  return {
    name: driverName,
    capabilities: new Set(["CREATE_DELETE_VOLUME", ...more] as const),
    plugin: new Set(["CONTROLLER_SERVICE"] as const),
  } satisfies DriverFacts;
}

export const settings: OrderSettings = {
  volumeNamePrefix: "pvc",
  volumeNameUuidLength: -1,
  defaultFsType: "",
  extraCreateMetadata: false,
  controllerPublishReadOnly: false,
  identity: "1700000000000-1-hostpath.csi.k8s.io",
};

export function inputs(more: Partial<OrderInputs> = {}): OrderInputs {
  return { claim: aClaim(), storageClass: aClass(), driver: aDriver(), settings, ...more };
}

const reserved = "csi.storage.k8s.io";

/** Everything that an order can hold, at once. */
export const everything: OrderInputs = {
  claim: aClaim(
    {
      dataSourceRef: {
        apiGroup: "snapshot.storage.k8s.io",
        kind: "VolumeSnapshot",
        name: "monday",
        namespace: "team-b",
      },
      volumeAttributesClassName: "gold",
    },
    { "team.example.com/key": "k1" },
  ),
  storageClass: aClass({
    mountOptions: ["noatime"],
    parameters: {
      pool: "ssd",
      [`${reserved}/fstype`]: "xfs",
      [`${reserved}/secret-name`]: "shared",
      [`${reserved}/secret-namespace`]: "storage",
      [`${reserved}/provisioner-secret-name`]: "${pvc.name}-${pvc.annotations['team.example.com/key']}",
      [`${reserved}/provisioner-secret-namespace`]: "${pvc.namespace}",
    },
  }),
  driver: {
    ...aDriver("CREATE_DELETE_SNAPSHOT", "SINGLE_NODE_MULTI_WRITER", "MODIFY_VOLUME"),
    plugin: new Set(["CONTROLLER_SERVICE", "VOLUME_ACCESSIBILITY_CONSTRAINTS"]),
  },
  settings: { ...settings, extraCreateMetadata: true },
  content: { is: "source", source: { snapshotId: "snap-1" } },
  topology: {
    requisite: [{ "topology.hostpath.csi/node": "n1" }, { "topology.hostpath.csi/node": "n2" }],
    preferred: [{ "topology.hostpath.csi/node": "n2" }, { "topology.hostpath.csi/node": "n1" }],
  },
  attributes: { metadata: { name: "gold" }, driverName, parameters: { iops: "4000" } },
};
