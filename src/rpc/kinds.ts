import type { DescService } from "@bufbuild/protobuf";
import type { BucketDriver } from "./gen/buckets_pb.js";
import type { Identity as CosiIdentity, Provisioner } from "./gen/cosi_pb.js";
import type { Controller, Identity, Node } from "./gen/csi_pb.js";

/** What a call leaves behind when its answer is lost. */
export type Kind =
  /** Nothing. */
  | "read"
  /** Perhaps something new under the name we gave. */
  | "create"
  /** Perhaps a change of something we know. */
  | "change"
  /** Perhaps a gap. */
  | "delete";

type MethodsOf<S extends DescService> = keyof S["method"] & string;

/** Every method that Portway knows. A method without a kind does not compile. */
export type Method =
  | MethodsOf<typeof Identity>
  | MethodsOf<typeof Controller>
  | MethodsOf<typeof Node>
  | MethodsOf<typeof CosiIdentity>
  | MethodsOf<typeof Provisioner>
  | MethodsOf<typeof BucketDriver>;

export const kinds: Readonly<Record<Method, Kind>> = {
  getPluginInfo: "read",
  getPluginCapabilities: "read",
  probe: "read",
  controllerGetCapabilities: "read",
  validateVolumeCapabilities: "read",
  listVolumes: "read",
  getCapacity: "read",
  controllerGetVolume: "read",
  listSnapshots: "read",
  getSnapshot: "read",
  nodeGetCapabilities: "read",
  nodeGetInfo: "read",
  driverGetInfo: "read",
  getDriverInfo: "read",

  createVolume: "create",
  createSnapshot: "create",
  driverCreateBucket: "create",
  createBucket: "create",
  driverGrantBucketAccess: "create",
  grantBucketAccess: "create",

  controllerPublishVolume: "change",
  controllerExpandVolume: "change",
  controllerModifyVolume: "change",

  controllerUnpublishVolume: "delete",
  nodeUnpublishVolume: "delete",
  deleteVolume: "delete",
  deleteSnapshot: "delete",
  driverDeleteBucket: "delete",
  deleteBucket: "delete",
  driverRevokeBucketAccess: "delete",
  revokeBucketAccess: "delete",
};

/** A method that nobody gave a kind may have done anything. */
export function kindOf(localName: string): Kind {
  return Object.entries(kinds).find(([name]) => name === localName)?.[1] ?? "create";
}
