import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { type Variant, variantFor, variantManifest } from "../src/admission/variant.ts";
import type { Handle } from "../src/dev/cluster/handle.ts";
import { spawnLeashed } from "../src/dev/component.ts";
import { packageRoot } from "../src/dev/paths.ts";

const manifests = ["namespace.yaml", "crds/*.yaml", "rbac/*.yaml", "policies/*.yaml"];
const kinds = ["storagetransferrequests", "storagetransferapprovals"];

/** What Portway adds to a cluster: two kinds, roles, admission policies. Nothing of the cluster is changed. */
export async function install(cluster: Handle): Promise<void> {
  const cwd = join(packageRoot, "deploy");
  for (const pattern of [...manifests, variantManifest[await variantOn(cluster)]]) {
    const files = await Array.fromAsync(glob(pattern, { cwd }));
    await cluster.kubectl(["apply", ...files.sort().flatMap((file) => ["-f", join(cwd, file)])]);
  }
  const crds = kinds.map((kind) => `crd/${kind}.transfer.portway.dev`);
  await cluster.kubectl(["wait", "--for=condition=Established", "--timeout=60s", ...crds]);
}

async function variantOn(cluster: Handle): Promise<Variant> {
  const [group, version] = ["admissionregistration.k8s.io", "v1"];
  const text = await cluster.kubectl(["get", "--raw", `/apis/${group}/${version}`]);
  const { resources } = JSON.parse(text) as { readonly resources: readonly { readonly name: string }[] };
  return variantFor(resources.map(({ name }) => ({ group, version, plural: name })));
}

/** The process that moves volumes, with the rights of its account and no others. It cannot outlive the demonstration. */
export interface Controller {
  start(): Promise<void>;
  kill(): Promise<void>;
}

export function controllerOn(cluster: Handle): Controller {
  let child: ChildProcess | undefined;
  return {
    async start() {
      const kubeconfig = await cluster.serviceAccount("portway-system", "portway-transfer");
      const program = join(packageRoot, "src/bin/portway.ts");
      const args = ["controller", "--domains=transfer", `--kubeconfig=${kubeconfig}`, "--http-endpoint="];
      child = spawnLeashed(process.execPath, [program, ...args], { stdio: "ignore" });
    },
    async kill() {
      if (child === undefined) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
      child = undefined;
    },
  };
}
