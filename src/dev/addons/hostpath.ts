import { join } from "node:path";
import { Failure } from "../../api/failure.ts";
import { build } from "../build/build.ts";
import { addonParts } from "../build/parts.ts";
import { accepts } from "../probe.ts";
import { type Addon, type AddonPlace, applyOwn, folderFor, run } from "./addon.ts";

/** The name under which the driver, its CSINode and our fake Node know the one node there is. */
const nodeName = "portway-dev";
/** The kernel takes no longer paths for Unix sockets. */
const longestSocketPath = 107;

/** csi-driver-host-path as a plain process: a volume is a directory, a snapshot is an archive. */
export const hostpath: Addon = async (at) => {
  const built = await build(addonParts.hostpath, at.place);
  const socket = socketOf(at);
  const volumes = await folderFor(at, "hostpath", "volumes");
  await run(at, {
    name: "hostpathplugin",
    program: built.program("hostpathplugin"),
    args: [`--endpoint=unix://${socket}`, `--nodeid=${nodeName}`, `--statedir=${volumes}`, "--v=4", "--logtostderr"],
    isReady: () => accepts(socket),
  });
  await applyOwn(at, "hostpath.yaml");
  await settleNode(at);
  return { PORTWAY_DEV_CSI_SOCKET: socket, PORTWAY_DEV_VOLUMES: volumes };
};

export function socketOf({ layout }: AddonPlace): string {
  const socket = join(layout.directory, "addons", "hostpath", "csi.sock");
  if (socket.length <= longestSocketPath) return socket;
  throw new Failure(
    `${socket} is too long for a socket (${longestSocketPath} characters at most)`,
    "Set XDG_CACHE_HOME to a shorter path, or choose a shorter --name.",
  );
}

/** Nobody reports for this node: it is declared ready, and the taint that admission gives every new node is taken off. */
async function settleNode({ handle }: AddonPlace): Promise<void> {
  await handle.kubectl(["patch", "node", nodeName, "--type=merge", "-p", JSON.stringify({ spec: { taints: null } })]);
  const status = {
    conditions: [{ type: "Ready", status: "True", reason: "Declared", message: "no kubelet runs here" }],
    allocatable: { cpu: "8", memory: "16Gi", pods: "500" },
    capacity: { cpu: "8", memory: "16Gi", pods: "500" },
  };
  await handle.kubectl([
    "patch",
    "node",
    nodeName,
    "--subresource=status",
    "--type=merge",
    "-p",
    JSON.stringify({ status }),
  ]);
}
