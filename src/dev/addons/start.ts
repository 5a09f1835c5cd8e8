import { addonParts, type Part } from "../build/parts.ts";
import type { Addon, AddonPlace } from "./addon.ts";
import { gatewayCrds, populatorCrd } from "./crds.ts";
import { csiTest } from "./csi-test.ts";
import { hostpath } from "./hostpath.ts";
import type { AddonName } from "./names.ts";
import { provisioner } from "./provisioner.ts";
import { snapshotter } from "./snapshotter.ts";
import { versitygw } from "./versitygw.ts";

interface Entry {
  readonly start: Addon;
  readonly parts: readonly Part[];
}

const addons: Readonly<Record<AddonName, Entry>> = {
  "gateway-crds": { start: gatewayCrds, parts: [addonParts["gateway-crds"]] },
  "populator-crd": { start: populatorCrd, parts: [] },
  hostpath: { start: hostpath, parts: [addonParts.hostpath] },
  snapshotter: { start: snapshotter, parts: [addonParts.snapshotter] },
  provisioner: { start: provisioner, parts: [addonParts.provisioner] },
  versitygw: { start: versitygw, parts: [addonParts.versitygw] },
  "csi-test": { start: csiTest, parts: [addonParts["csi-sanity"], addonParts["csi-mock"]] },
};

/** What an add-on has to have built. */
export function partsOf(name: AddonName): readonly Part[] {
  return addons[name].parts;
}

export async function startAddon(name: AddonName, at: AddonPlace): Promise<Readonly<Record<string, string>>> {
  return await addons[name].start(at);
}
