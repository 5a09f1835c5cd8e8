import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { build } from "../build/build.ts";
import { addonParts } from "../build/parts.ts";
import type { Addon } from "./addon.ts";

/** The conformance suite and the mock driver of kubernetes-csi, put beside kubectl; nothing is started. */
export const csiTest: Addon = async ({ place, layout }) => {
  const sanity = await build(addonParts["csi-sanity"], place);
  const mock = await build(addonParts["csi-mock"], place);
  await symlink(sanity.program("csi-sanity"), join(layout.bin, "csi-sanity"));
  await symlink(mock.program("mock-driver"), join(layout.bin, "mock-driver"));
  return {};
};
