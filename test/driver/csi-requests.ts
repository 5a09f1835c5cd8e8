import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";
import type { CapacityRange, VolumeCapability } from "../../src/rpc/gen/csi_pb.js";
import type { CapabilityName, Csi } from "./csi.ts";
import type { StoredVolume } from "./csi-inventory.ts";
import { Refusal } from "./refusal.ts";

const defaultBytes = 1n << 30n;

/** A request without its secrets as one text, whatever the order of its maps: two are the same or they are not. */
export function fingerprint<S extends DescMessage>(schema: S, request: MessageShape<S>): string {
  const { secrets: _, ...rest } = toJson(schema, request) as Record<string, unknown>;
  return JSON.stringify(rest, sorted);
}

function sorted(_: string, value: unknown): unknown {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
}

export function requireDone(driver: Csi, capability: CapabilityName): void {
  if (!driver.does(capability)) throw new Refusal("UNIMPLEMENTED", `this driver does not ${capability}`);
}

export function requireCapabilities(capabilities: readonly VolumeCapability[]): void {
  if (capabilities.length === 0) throw new Refusal("INVALID_ARGUMENT", "volume_capabilities are missing");
  for (const { accessType, accessMode } of capabilities)
    if (accessType.case === undefined || accessMode === undefined)
      throw new Refusal("INVALID_ARGUMENT", "a capability has an access type and an access mode");
}

export function requireMutable({ mutableKeys }: Csi, parameters: Readonly<Record<string, string>>): void {
  const strange = Object.keys(parameters).find((key) => !mutableKeys.includes(key));
  if (strange !== undefined) throw new Refusal("INVALID_ARGUMENT", `"${strange}" is no mutable parameter`);
}

export function volumeOf(driver: Csi, id: string): StoredVolume {
  if (id === "") throw new Refusal("INVALID_ARGUMENT", "volume_id is missing");
  const volume = driver.inventory.read().volumes[id];
  if (volume === undefined) throw new Refusal("NOT_FOUND", `there is no volume ${id}`);
  return volume;
}

/** What is required, or else the default; never less than what it shall hold. */
export function sizeIn(range: CapacityRange | undefined, least: bigint, most: bigint): bigint {
  const { requiredBytes = 0n, limitBytes = 0n } = range ?? {};
  const limit = limitBytes === 0n ? most : limitBytes;
  if (requiredBytes < 0n || limit < requiredBytes) throw new Refusal("INVALID_ARGUMENT", "the range makes no sense");
  const wanted = requiredBytes === 0n ? smaller(limit, larger(defaultBytes, least)) : requiredBytes;
  if (wanted < least) throw new Refusal("OUT_OF_RANGE", `at least ${least} bytes are needed for what it shall hold`);
  if (wanted > most) throw new Refusal("OUT_OF_RANGE", `there are volumes of at most ${most} bytes`);
  return wanted;
}

const larger = (one: bigint, other: bigint) => (one > other ? one : other);
const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
