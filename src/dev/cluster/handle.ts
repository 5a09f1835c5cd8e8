import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "../../api/defined.ts";
import { Failure } from "../../api/failure.ts";
import type { Layout } from "./arguments.ts";
import { admin } from "./credentials.ts";
import { kubectl } from "./kubectl.ts";

export interface Kubeconfig {
  readonly "current-context": string;
  readonly clusters: readonly {
    readonly cluster: { readonly server: string; readonly "certificate-authority"?: string };
  }[];
  readonly contexts: readonly { readonly name: string; readonly context: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly name: string; readonly user: object }[];
}

/** What one can do with a cluster from outside, as its admin or as somebody with fewer rights. */
export interface Handle {
  /** The kubeconfig of the admin or of a tenant. */
  kubeconfigOf(user: string): string;
  /** A kubeconfig with a minted token: exactly the rights that are bound to this ServiceAccount. */
  serviceAccount(namespace: string, name: string): Promise<string>;
  /** Runs kubectl as the admin, or with another kubeconfig. */
  kubectl(args: readonly string[], more?: { readonly input?: string; readonly kubeconfig?: string }): Promise<string>;
  /** Applies a manifest, given as its text. */
  apply(manifest: string): Promise<void>;
}

/** Longer than any cluster of this kind lives. */
const tokenDuration = "8760h";

/** With `stop`, nothing is asked of the cluster any more once that is aborted. */
export function handleOn(
  kubeconfigs: Readonly<Record<string, string>>,
  layout: Layout,
  program: string,
  stop?: AbortSignal,
): Handle {
  const adminConfig = kubeconfigs[admin] ?? "";
  const run: Handle["kubectl"] = (args, { input, kubeconfig = adminConfig } = {}) =>
    kubectl({ program, kubeconfig, args, ...defined({ input, stop }) });
  return {
    kubectl: run,
    kubeconfigOf(user) {
      const path = kubeconfigs[user];
      if (path !== undefined) return path;
      throw new Failure(
        `the cluster has no user "${user}"`,
        `It has ${Object.keys(kubeconfigs).join(", ")}; add one with --user when it is started.`,
      );
    },
    async apply(manifest) {
      await run(["apply", "--server-side", "--field-manager=portway-dev", "-f", "-"], { input: manifest });
    },
    async serviceAccount(namespace, name) {
      const token = await run(["create", "token", name, "-n", namespace, `--duration=${tokenDuration}`]);
      const config = JSON.parse(await run(["config", "view", "--minify", "--flatten", "-o", "json"])) as Kubeconfig;
      const path = join(layout.kubeconfigs, `service-account-${namespace}-${name}.json`);
      await writeFile(
        path,
        JSON.stringify(asServiceAccount(config, { namespace, name, token: token.trim() }), null, 2),
        { mode: 0o600 },
      );
      return path;
    },
  };
}

interface Account {
  readonly namespace: string;
  readonly name: string;
  readonly token: string;
}

/** The same cluster, entered as a ServiceAccount. */
export function asServiceAccount(config: Kubeconfig, { namespace, name, token }: Account): Kubeconfig {
  const user = `system:serviceaccount:${namespace}:${name}`;
  return {
    ...config,
    contexts: config.contexts.map((c) => ({ ...c, context: { ...c.context, user, namespace } })),
    users: [{ name: user, user: { token } }],
  };
}
