import { defined } from "../api/defined.ts";
import { Failure } from "../api/failure.ts";
import {
  type ControllerGetCapabilitiesResponse,
  ControllerServiceCapability_RPC_Type,
  type GetPluginCapabilitiesResponse,
  type GetPluginInfoResponse,
  PluginCapability_Service_Type,
} from "../rpc/gen/csi_pb.js";

export type ControllerCapability = keyof typeof ControllerServiceCapability_RPC_Type;
export type PluginService = keyof typeof PluginCapability_Service_Type;

/** What the driver said about itself when it was first asked. */
export interface DriverFacts {
  readonly name: string;
  readonly vendorVersion?: string;
  readonly capabilities: ReadonlySet<ControllerCapability>;
  readonly plugin: ReadonlySet<PluginService>;
}

export function factsOf(
  info: GetPluginInfoResponse,
  plugin: GetPluginCapabilitiesResponse,
  controller: ControllerGetCapabilitiesResponse,
): DriverFacts {
  if (info.name === "")
    throw new Failure("The driver does not say its name", "Look for a newer version of the driver, or ask its vendor.");
  return {
    name: info.name,
    ...defined({ vendorVersion: info.vendorVersion === "" ? undefined : info.vendorVersion }),
    capabilities: known(
      ControllerServiceCapability_RPC_Type,
      controller.capabilities.map(({ type }) => (type.case === "rpc" ? type.value.type : 0)),
    ),
    plugin: known(
      PluginCapability_Service_Type,
      plugin.capabilities.map(({ type }) => (type.case === "service" ? type.value.type : 0)),
    ),
  };
}

/** A driver may be newer than we are and name what we have never heard of. */
function known<E extends Readonly<Record<string, string | number>>>(
  words: E,
  numbers: readonly number[],
): ReadonlySet<keyof E> {
  const named = Object.entries(words).filter(([, value]) => typeof value === "number" && value !== 0);
  return new Set(named.filter(([, value]) => numbers.includes(Number(value))).map(([name]) => name));
}

export function supportsTopology({ plugin }: DriverFacts): boolean {
  return plugin.has("VOLUME_ACCESSIBILITY_CONSTRAINTS");
}
