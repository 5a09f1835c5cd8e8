import { build } from "../build/build.ts";
import { addonParts } from "../build/parts.ts";
import { freePort } from "../ports.ts";
import { isOk } from "../probe.ts";
import { type Addon, applyFiles, run } from "./addon.ts";
import { socketOf } from "./hostpath.ts";

/** kubernetes-csi/external-provisioner with the roles it ships: our peer, and the stock part on managed clusters. */
export const provisioner: Addon = async (at) => {
  const built = await build(addonParts.provisioner, at.place);
  await applyFiles(at, [built.file("rbac.yaml")]);
  const port = await freePort();
  await run(at, {
    name: "csi-provisioner",
    program: built.program("csi-provisioner"),
    args: [
      `--kubeconfig=${await at.handle.serviceAccount("default", "csi-provisioner")}`,
      `--csi-address=${socketOf(at)}`,
      "--extra-create-metadata",
      `--http-endpoint=127.0.0.1:${port}`,
      "--v=4",
    ],
    // KUBECONFIG would win over the flag.
    env: { KUBECONFIG: "" },
    isReady: () => isOk(`http://127.0.0.1:${port}/metrics`),
  });
  return {};
};
