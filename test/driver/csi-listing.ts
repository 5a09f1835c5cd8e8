import type { ControllerGetVolumeRequest, ListVolumesRequest } from "../../src/rpc/gen/csi_pb.js";
import type { Csi } from "./csi.ts";
import type { StoredVolume } from "./csi-inventory.ts";
import { requireDone, volumeOf } from "./csi-requests.ts";
import { describe } from "./csi-volumes.ts";
import { pageOf } from "./pages.ts";

export function listingAnswers(driver: Csi) {
  return {
    listVolumes: (request: ListVolumesRequest) => listed(driver, request),
    controllerGetVolume: (request: ControllerGetVolumeRequest) => found(driver, request),
    getCapacity: () => capacity(driver),
  };
}

function listed(driver: Csi, request: ListVolumesRequest) {
  requireDone(driver, "LIST_VOLUMES");
  const { page, nextToken } = pageOf(Object.values(driver.inventory.read().volumes), request);
  return { entries: page.map((volume) => ({ volume: describe(volume), status: statusOf(driver, volume) })), nextToken };
}

function found(driver: Csi, { volumeId }: ControllerGetVolumeRequest) {
  requireDone(driver, "GET_VOLUME");
  const volume = volumeOf(driver, volumeId);
  return { volume: describe(volume), status: statusOf(driver, volume) };
}

function statusOf({ does }: Csi, { published }: StoredVolume) {
  return {
    publishedNodeIds: does("LIST_VOLUMES_PUBLISHED_NODES") ? Object.keys(published) : [],
    ...(does("VOLUME_CONDITION") ? { volumeCondition: { abnormal: false, message: "it is fine" } } : {}),
  };
}

function capacity(driver: Csi) {
  requireDone(driver, "GET_CAPACITY");
  const used = Object.values(driver.inventory.read().volumes).reduce((sum, { bytes }) => sum + BigInt(bytes), 0n);
  return { availableCapacity: driver.capacityBytes - used, maximumVolumeSize: driver.capacityBytes };
}
