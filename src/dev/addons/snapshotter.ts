import { build } from "../build/build.ts";
import { addonParts } from "../build/parts.ts";
import { freePort } from "../ports.ts";
import { isOk } from "../probe.ts";
import { type Addon, applyFiles, applyOwn, run, untilEstablished } from "./addon.ts";
import { socketOf } from "./hostpath.ts";

const group = "snapshot.storage.k8s.io";
const plurals = ["volumesnapshotclasses", "volumesnapshotcontents", "volumesnapshots"] as const;

/** The snapshot CRDs, the snapshot controller and the sidecar beside host-path, with the roles upstream ships. */
export const snapshotter: Addon = async (at) => {
  const built = await build(addonParts.snapshotter, at.place);
  await applyFiles(
    at,
    plurals.map((plural) => built.file(`${group}_${plural}.yaml`)),
  );
  await untilEstablished(
    at,
    plurals.map((plural) => `${plural}.${group}`),
  );
  await applyFiles(at, [built.file("rbac-snapshot-controller.yaml"), built.file("rbac-csi-snapshotter.yaml")]);
  await applyOwn(at, "snapshot-class.yaml");

  const serve = async (name: string, kubeconfig: string, args: readonly string[]) => {
    const port = await freePort();
    await run(at, {
      name,
      program: built.program(name),
      args: [`--kubeconfig=${kubeconfig}`, `--http-endpoint=127.0.0.1:${port}`, "--v=4", ...args],
      isReady: () => isOk(`http://127.0.0.1:${port}/metrics`),
    });
  };
  await serve("snapshot-controller", await at.handle.serviceAccount("kube-system", "snapshot-controller"), []);
  await serve("csi-snapshotter", await at.handle.serviceAccount("default", "csi-snapshotter"), [
    `--csi-address=${socketOf(at)}`,
  ]);
  return {};
};
