import {
  Controller,
  ControllerServiceCapability_RPC_Type as Does,
  PluginCapability_VolumeExpansion_Type as Expansion,
  Identity,
  Node,
  PluginCapability_Service_Type as Offers,
} from "../../src/rpc/gen/csi_pb.js";
import { type CsiInventory, csiInventory } from "./csi-inventory.ts";
import { listingAnswers } from "./csi-listing.ts";
import { publishingAnswers } from "./csi-publishing.ts";
import { snapshotAnswers } from "./csi-snapshots.ts";
import { volumeAnswers } from "./csi-volumes.ts";
import type { Inventory } from "./inventory.ts";
import { type DriverPlace, type RunningDriver, serve, served } from "./serve.ts";

export type CapabilityName = Exclude<keyof typeof Does, "UNKNOWN">;

export interface CsiSettings {
  readonly name: string;
  /** What ControllerGetCapabilities says, and what the driver does. */
  readonly capabilities: readonly CapabilityName[];
  /** The nodes there are. Volumes are accessible by topology when it is not empty. */
  readonly nodes: readonly string[];
  readonly topology: Readonly<Record<string, string>>;
  readonly capacityBytes: bigint;
  /** The only keys that VolumeAttributesClasses may set. */
  readonly mutableKeys: readonly string[];
}

export const allCapabilities = (Object.keys(Does) as (keyof typeof Does)[]).filter(
  (name): name is CapabilityName => Number.isNaN(Number(name)) && name !== "UNKNOWN",
);

export const defaultSettings: CsiSettings = {
  name: "scripted.csi.portway.dev",
  capabilities: allCapabilities,
  nodes: ["portway-dev"],
  topology: {},
  capacityBytes: 1n << 50n,
  mutableKeys: ["tier", "iops"],
};

/** What the parts of the driver share. */
export interface Csi extends CsiSettings {
  readonly state: string;
  readonly inventory: Inventory<CsiInventory>;
  readonly does: (capability: CapabilityName) => boolean;
}

/** A CSI driver with real directories, that does what its script says and remembers everything over its own death. */
export async function startCsiDriver(place: DriverPlace, settings: Partial<CsiSettings> = {}): Promise<RunningDriver> {
  const all = { ...defaultSettings, ...settings };
  const driver: Csi = {
    ...all,
    state: place.state,
    inventory: csiInventory(place.state),
    does: (capability) => all.capabilities.includes(capability),
  };
  return await serve(place, [
    served(Identity, {
      getPluginInfo: () => ({ name: driver.name, vendorVersion: "1" }),
      probe: () => ({ ready: true }),
      getPluginCapabilities: () => ({ capabilities: pluginCapabilities(driver) }),
    }),
    served(Controller, {
      ...volumeAnswers(driver),
      ...publishingAnswers(driver),
      ...snapshotAnswers(driver),
      ...listingAnswers(driver),
      controllerGetCapabilities: () => ({
        capabilities: driver.capabilities.map((name) => ({
          type: { case: "rpc", value: { type: Does[name] } } as const,
        })),
      }),
    }),
    served(Node, {
      nodeUnpublishVolume: () => ({}),
      nodeGetCapabilities: () => ({}),
      nodeGetInfo: () => ({ nodeId: driver.nodes[0] ?? "", accessibleTopology: { segments: driver.topology } }),
    }),
  ]);
}

function pluginCapabilities({ topology, does }: Csi) {
  const offered = [
    Offers.CONTROLLER_SERVICE,
    ...(Object.keys(topology).length === 0 ? [] : [Offers.VOLUME_ACCESSIBILITY_CONSTRAINTS]),
  ];
  return [
    ...offered.map((type) => ({ type: { case: "service", value: { type } } as const })),
    ...(does("EXPAND_VOLUME")
      ? [{ type: { case: "volumeExpansion", value: { type: Expansion.ONLINE } } as const }]
      : []),
  ];
}
