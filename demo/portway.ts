import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { type Variant, variantFor, variantManifest } from "../src/admission/variant.ts";
import type { Handle } from "../src/dev/cluster/handle.ts";
import { spawnLeashed } from "../src/dev/component.ts";
import { packageRoot } from "../src/dev/paths.ts";

const manifests = ["namespace.yaml", "crds/*.yaml", "rbac/*.yaml", "policies/*.yaml"];
const kinds = [
  ...["storagetransferrequests", "storagetransferapprovals"].map((kind) => `${kind}.transfer.portway.dev`),
  ...["buckets", "bucketcontents", "bucketclasses", "cosiregistrations"].map((kind) => `${kind}.cosi.io`),
];

/** What Portway adds to a cluster: kinds, roles, admission policies. Nothing of the cluster is changed. */
export async function install(cluster: Handle): Promise<void> {
  const cwd = join(packageRoot, "deploy");
  for (const pattern of [...manifests, variantManifest[await variantOn(cluster)]]) {
    const files = await Array.fromAsync(glob(pattern, { cwd }));
    await cluster.kubectl(["apply", ...files.sort().flatMap((file) => ["-f", join(cwd, file)])]);
  }
  const crds = kinds.map((kind) => `crd/${kind}`);
  await cluster.kubectl(["wait", "--for=condition=Established", "--timeout=60s", ...crds]);
}

async function variantOn(cluster: Handle): Promise<Variant> {
  const [group, version] = ["admissionregistration.k8s.io", "v1"];
  const text = await cluster.kubectl(["get", "--raw", `/apis/${group}/${version}`]);
  const { resources } = JSON.parse(text) as { readonly resources: readonly { readonly name: string }[] };
  return variantFor(resources.map(({ name }) => ({ group, version, plural: name })));
}

/** A process with the rights of its account and no others. It cannot outlive the demonstration. */
export interface Process {
  start(): Promise<void>;
  kill(): Promise<void>;
}

interface Order {
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** The process that moves volumes, or the one that cares for buckets. */
export function controllerOn(cluster: Handle, domain: "transfer" | "buckets"): Process {
  return processBy(async () => {
    const kubeconfig = await cluster.serviceAccount("portway-system", `portway-${domain}`);
    return { args: ["controller", `--domains=${domain}`, `--kubeconfig=${kubeconfig}`, "--http-endpoint="] };
  });
}

export function processBy(order: () => Promise<Order>): Process {
  let child: ChildProcess | undefined;
  return {
    async start() {
      const { args, env } = await order();
      const program = join(packageRoot, "src/bin/portway.ts");
      child = spawnLeashed(process.execPath, [program, ...args], { stdio: "ignore", env: { ...process.env, ...env } });
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
