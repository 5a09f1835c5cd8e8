import { defined } from "../../api/defined.ts";
import { Failure } from "../../api/failure.ts";
import { anonymous, credentialsOf } from "./credentials.ts";
import type { Environment } from "./environment.ts";
import type { ExecCluster } from "./exec-info.ts";
import { impersonationOf } from "./impersonation.ts";
import { inCluster } from "./in-cluster.ts";
import type { Cluster } from "./kubeconfig.ts";
import { kubeconfigs, usualFiles } from "./kubeconfig-files.ts";
import { merge } from "./merge.ts";
import { clusterWith, type Overrides, userWith } from "./overrides.ts";
import { type Choice, type Picked, pick } from "./pick.ts";
import { proxyFor } from "./proxy.ts";
import type { Impersonation, Target, Trust } from "./target.ts";
import { trustOf } from "./trust.ts";

/** An empty text is the same as none, so that `--context "$CONTEXT"` works as it does in kubectl. */
export interface TargetOptions extends Choice, Overrides {
  readonly env: Environment;
  /** A path; when it is given, no other kubeconfig counts and it must exist. */
  readonly kubeconfig?: string | undefined;
  /** Instead of what the user of the kubeconfig impersonates. */
  readonly as?: Impersonation | undefined;
  readonly serviceAccountDirectory?: string;
}

/** The server a person or a pod means, found as kubectl finds it. */
export async function loadTarget(options: TargetOptions): Promise<Target> {
  const { env, as } = options;
  const choice = choiceOf(options);
  const config = merge(await kubeconfigs(env, options.kubeconfig || undefined));
  const isOpen = [choice.context, choice.cluster, choice.user, choice.server].every((words) => words === undefined);
  const picked = config.files.length === 0 && isOpen ? await podEntries(options, choice) : pick(config, choice);
  const target = await pickedTarget(picked, overridesOf(options), env);
  return as === undefined ? target : { ...target, impersonate: as };
}

function choiceOf({ context, cluster, user, namespace, server }: Choice): Choice {
  return {
    context: context || undefined,
    cluster: cluster || undefined,
    user: user || undefined,
    namespace: namespace || undefined,
    server: server || undefined,
  };
}

function overridesOf(options: Overrides): Overrides {
  return {
    server: options.server || undefined,
    serverName: options.serverName || undefined,
    certificateAuthority: options.certificateAuthority || undefined,
    skipVerify: options.skipVerify,
    token: options.token || undefined,
    clientCertificate: options.clientCertificate || undefined,
    clientKey: options.clientKey || undefined,
  };
}

async function podEntries(options: TargetOptions, { namespace }: Choice): Promise<Picked> {
  const directory = options.serviceAccountDirectory ?? "/var/run/secrets/kubernetes.io/serviceaccount";
  const found = await inCluster(options.env, directory);
  if (found !== undefined) return namespace === undefined ? found : { ...found, namespace };
  const looked = [...usualFiles(options.env), `the service account in ${directory}`];
  throw new Failure(
    `no Kubernetes cluster is configured: there is none of ${looked.join(", ")}`,
    "Name a kubeconfig with --kubeconfig or in the environment variable KUBECONFIG, or a server with --server.",
  );
}

async function pickedTarget(picked: Picked, overrides: Overrides, env: Environment): Promise<Target> {
  const cluster = clusterWith(picked.cluster, overrides);
  const user = userWith(picked.user, overrides);
  const server = serverOf(cluster, overrides);
  const trust = await trustOf(cluster);
  const proxy = proxyFor(server, cluster, env);
  const impersonate = user && impersonationOf(user);
  // As in client-go: over a connection that anybody can read, nobody's secrets are sent.
  const isSecret = server.protocol === "https:";
  return {
    server,
    trust,
    namespace: picked.namespace,
    ...defined({ proxy, impersonate }),
    credentials:
      user === undefined || !isSecret ? anonymous : credentialsOf(user, env, execClusterOf(server, trust, cluster)),
  };
}

/** A server may carry a path, as behind Rancher; what follows the path has no meaning. */
function serverOf(cluster: Cluster, overrides: Overrides): URL {
  const url = URL.parse(cluster.server ?? "");
  if (url !== null && ["http:", "https:"].includes(url.protocol)) {
    url.search = "";
    url.hash = "";
    return url;
  }
  const what = overrides.server === undefined ? `"server" of ${cluster.place}` : "--server";
  throw new Failure(`${what} is not a URL`, "Write it whole, like https://10.0.0.1:6443.");
}

function execClusterOf(server: URL, trust: Trust, cluster: Cluster): ExecCluster {
  return {
    server: server.href.replace(/\/$/, ""),
    "tls-server-name": trust.serverName,
    "insecure-skip-tls-verify": trust.skipVerify ? true : undefined,
    "certificate-authority-data": trust.ca === undefined ? undefined : Buffer.from(trust.ca).toString("base64"),
    "proxy-url": cluster.proxyUrl,
    config: cluster.execConfig,
  };
}
