import type { ControlPlane } from "./control-plane.ts";
import { admin } from "./credentials.ts";
import type { Kubeconfig } from "./handle.ts";
import { kubectl } from "./kubectl.ts";

/** A control plane that somebody else runs: nothing is started, and nothing of it is stopped. */
export async function existingControlPlane(
  kubeconfig: string,
  program: string,
  stop: AbortSignal,
): Promise<ControlPlane> {
  // kubectl by itself waits for minutes for a server behind a firewall.
  const run = (args: readonly string[]) =>
    kubectl({ program, kubeconfig, args: [...args, "--request-timeout=20s"], stop });
  const config = JSON.parse(await run(["config", "view", "--minify", "-o", "json"])) as Kubeconfig;
  const { serverVersion } = JSON.parse(await run(["version", "-o", "json"])) as {
    serverVersion: { gitVersion: string };
  };
  return {
    server: config.clusters[0]?.cluster.server ?? "",
    version: serverVersion.gitVersion,
    kubeconfigs: { [admin]: kubeconfig },
  };
}
