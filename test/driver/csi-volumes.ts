import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ControllerExpandVolumeRequest,
  type ControllerModifyVolumeRequest,
  type CreateVolumeRequest,
  CreateVolumeRequestSchema,
  type DeleteVolumeRequest,
  type TopologyRequirement,
  type VolumeContentSource,
  type VolumeSchema,
} from "../../src/rpc/gen/csi_pb.js";
import type { Csi } from "./csi.ts";
import { type StoredVolume, snapshotDirectory, volumeDirectory } from "./csi-inventory.ts";
import { fingerprint, requireCapabilities, requireDone, requireMutable, sizeIn, volumeOf } from "./csi-requests.ts";
import { makeWhole, removeWhole } from "./directories.ts";
import { Refusal, required } from "./refusal.ts";

export function volumeAnswers(driver: Csi) {
  return {
    createVolume: (request: CreateVolumeRequest) => ({ volume: describe(created(driver, request)) }),
    deleteVolume: (request: DeleteVolumeRequest) => deleted(driver, request),
    controllerExpandVolume: (request: ControllerExpandVolumeRequest) => expanded(driver, request),
    controllerModifyVolume: (request: ControllerModifyVolumeRequest) => modified(driver, request),
  };
}

function created(driver: Csi, request: CreateVolumeRequest): StoredVolume {
  requireDone(driver, "CREATE_DELETE_VOLUME");
  const name = required(request.name, "name");
  requireCapabilities(request.volumeCapabilities);
  requireMutable(driver, request.mutableParameters);
  const { volumes, next } = driver.inventory.read();
  const said = fingerprint(CreateVolumeRequestSchema, request);
  const existing = Object.values(volumes).find((volume) => volume.name === name);
  if (existing !== undefined) return sameAs(driver, existing, said);

  const source = sourceOf(driver, request.volumeContentSource);
  const volume: StoredVolume = {
    id: `vol-${next}`,
    name,
    bytes: String(sizeIn(request.capacityRange, source?.bytes ?? 0n, driver.capacityBytes)),
    request: said,
    parameters: request.parameters,
    mutableParameters: request.mutableParameters,
    topology: topologyFor(driver, request.accessibilityRequirements),
    published: {},
    ...(source === undefined ? {} : { source: source.of }),
  };
  makeWhole(volumeDirectory(driver.state, volume.id), source?.directory);
  driver.inventory.change((draft) => {
    draft.next = next + 1;
    draft.volumes[volume.id] = volume;
  });
  return volume;
}

/** The specification wants ALREADY_EXISTS; that the caller changed its mind between two tries is a bug of the caller. */
function sameAs(driver: Csi, existing: StoredVolume, said: string): StoredVolume {
  if (existing.request === said) return existing;
  const { name } = existing;
  driver.inventory.change(({ misuse }) => {
    misuse.push({ method: "CreateVolume", of: name, says: `asked first for ${existing.request}, then for ${said}` });
  });
  throw new Refusal("ALREADY_EXISTS", `${name} is there already and was asked for in another way`);
}

function sourceOf(driver: Csi, source: VolumeContentSource | undefined) {
  const { volumes, snapshots } = driver.inventory.read();
  switch (source?.type.case) {
    case "snapshot": {
      const { snapshotId: id } = source.type.value;
      const snapshot = snapshots[id];
      if (snapshot === undefined) throw new Refusal("NOT_FOUND", `there is no snapshot ${id}`);
      return { of: { snapshot: id }, bytes: BigInt(snapshot.bytes), directory: snapshotDirectory(driver.state, id) };
    }
    case "volume": {
      requireDone(driver, "CLONE_VOLUME");
      const { volumeId: id } = source.type.value;
      const volume = volumes[id];
      if (volume === undefined) throw new Refusal("NOT_FOUND", `there is no volume ${id}`);
      return { of: { volume: id }, bytes: BigInt(volume.bytes), directory: volumeDirectory(driver.state, id) };
    }
    default:
      return undefined;
  }
}

/** The place that is preferred, of those that were asked for; a driver without topology is the same everywhere. */
function topologyFor({ topology }: Csi, wanted: TopologyRequirement | undefined): StoredVolume["topology"] {
  if (Object.keys(topology).length === 0) return [];
  const [first] = [...(wanted?.preferred ?? []), ...(wanted?.requisite ?? [])];
  return [first?.segments ?? topology];
}

function deleted(driver: Csi, { volumeId }: DeleteVolumeRequest) {
  requireDone(driver, "CREATE_DELETE_VOLUME");
  const id = required(volumeId, "volume_id");
  const volume = driver.inventory.read().volumes[id];
  if (volume === undefined) return {};
  if (Object.keys(volume.published).length > 0) throw new Refusal("FAILED_PRECONDITION", `${id} is still published`);
  driver.inventory.change((draft) => {
    delete draft.volumes[id];
    draft.deleted.push({ id, name: volume.name });
  });
  removeWhole(volumeDirectory(driver.state, id));
  return {};
}

function expanded(driver: Csi, { volumeId, capacityRange }: ControllerExpandVolumeRequest) {
  requireDone(driver, "EXPAND_VOLUME");
  const { id, bytes } = volumeOf(driver, volumeId);
  if (capacityRange === undefined) throw new Refusal("INVALID_ARGUMENT", "capacity_range is missing");
  const wanted = sizeIn(capacityRange, 0n, driver.capacityBytes);
  const size = wanted > BigInt(bytes) ? wanted : BigInt(bytes);
  driver.inventory.change(({ volumes }) => {
    const volume = volumes[id];
    if (volume !== undefined) volume.bytes = String(size);
  });
  return { capacityBytes: size, nodeExpansionRequired: false };
}

function modified(driver: Csi, { volumeId, mutableParameters }: ControllerModifyVolumeRequest) {
  requireDone(driver, "MODIFY_VOLUME");
  const { id } = volumeOf(driver, volumeId);
  requireMutable(driver, mutableParameters);
  driver.inventory.change(({ volumes }) => {
    const volume = volumes[id];
    if (volume !== undefined) volume.mutableParameters = { ...volume.mutableParameters, ...mutableParameters };
  });
  return {};
}

export function describe(volume: StoredVolume): MessageInitShape<typeof VolumeSchema> {
  return {
    volumeId: volume.id,
    capacityBytes: BigInt(volume.bytes),
    volumeContext: { name: volume.name },
    accessibleTopology: volume.topology.map((segments) => ({ segments })),
    ...(volume.source === undefined ? {} : { contentSource: { type: sourceType(volume.source) } }),
  };
}

function sourceType(source: NonNullable<StoredVolume["source"]>) {
  return "snapshot" in source
    ? ({ case: "snapshot", value: { snapshotId: source.snapshot } } as const)
    : ({ case: "volume", value: { volumeId: source.volume } } as const);
}
