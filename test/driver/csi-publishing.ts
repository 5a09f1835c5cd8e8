import type {
  ControllerPublishVolumeRequest,
  ControllerUnpublishVolumeRequest,
  ValidateVolumeCapabilitiesRequest,
} from "../../src/rpc/gen/csi_pb.js";
import { VolumeCapabilitySchema } from "../../src/rpc/gen/csi_pb.js";
import type { Csi } from "./csi.ts";
import { fingerprint, requireCapabilities, requireDone, volumeOf } from "./csi-requests.ts";
import { Refusal, required } from "./refusal.ts";

export function publishingAnswers(driver: Csi) {
  return {
    controllerPublishVolume: (request: ControllerPublishVolumeRequest) => published(driver, request),
    controllerUnpublishVolume: (request: ControllerUnpublishVolumeRequest) => unpublished(driver, request),
    validateVolumeCapabilities: (request: ValidateVolumeCapabilitiesRequest) => validated(driver, request),
  };
}

function published(driver: Csi, { volumeId, nodeId, volumeCapability, readonly }: ControllerPublishVolumeRequest) {
  requireDone(driver, "PUBLISH_UNPUBLISH_VOLUME");
  required(volumeId, "volume_id");
  required(nodeId, "node_id");
  if (volumeCapability === undefined) throw new Refusal("INVALID_ARGUMENT", "volume_capability is missing");
  const volume = volumeOf(driver, volumeId);
  if (!driver.nodes.includes(nodeId)) throw new Refusal("NOT_FOUND", `there is no node ${nodeId}`);
  const how = `${fingerprint(VolumeCapabilitySchema, volumeCapability)}${readonly ? " read-only" : ""}`;
  if ((volume.published[nodeId] ?? how) !== how)
    throw new Refusal("ALREADY_EXISTS", `${volumeId} is published to ${nodeId} in another way`);
  driver.inventory.change(({ volumes }) => {
    const stored = volumes[volume.id];
    if (stored !== undefined) stored.published[nodeId] = how;
  });
  return { publishContext: { node: nodeId } };
}

function unpublished(driver: Csi, { volumeId, nodeId }: ControllerUnpublishVolumeRequest) {
  requireDone(driver, "PUBLISH_UNPUBLISH_VOLUME");
  const id = required(volumeId, "volume_id");
  driver.inventory.change(({ volumes }) => {
    const published = volumes[id]?.published ?? {};
    for (const node of nodeId === "" ? Object.keys(published) : [nodeId]) delete published[node];
  });
  return {};
}

function validated(driver: Csi, request: ValidateVolumeCapabilitiesRequest) {
  required(request.volumeId, "volume_id");
  requireCapabilities(request.volumeCapabilities);
  volumeOf(driver, request.volumeId);
  const { volumeContext, volumeCapabilities, parameters } = request;
  return { confirmed: { volumeContext, volumeCapabilities, parameters } };
}
