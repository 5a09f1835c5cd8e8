import { build } from "../build/build.ts";
import { addonParts } from "../build/parts.ts";
import { type Addon, applyFiles, applyOwn, untilEstablished } from "./addon.ts";

/** ReferenceGrant, as the Gateway API ships it. */
export const gatewayCrds: Addon = async (at) => {
  const built = await build(addonParts["gateway-crds"], at.place);
  await applyFiles(at, [built.file("gateway.networking.k8s.io_referencegrants.yaml")]);
  await untilEstablished(at, ["referencegrants.gateway.networking.k8s.io"]);
  return {};
};

/** VolumePopulator, written down by hand: its module is not to be had. */
export const populatorCrd: Addon = async (at) => {
  await applyOwn(at, "volume-populator-crd.yaml");
  await untilEstablished(at, ["volumepopulators.populator.storage.k8s.io"]);
  return {};
};
