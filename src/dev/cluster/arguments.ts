import { join } from "node:path";
import type { ClusterOptions } from "./options.ts";

/** Where the files of one cluster lie. */
export interface Layout {
  readonly directory: string;
  readonly logs: string;
  readonly kubeconfigs: string;
  readonly bin: string;
  readonly state: string;
  /** Which process owns the cluster. */
  readonly holder: string;
  readonly tokens: string;
  readonly servingCertificate: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  readonly auditPolicy: string;
}

export function layoutOf(directory: string): Layout {
  const at = (...path: string[]) => join(directory, ...path);
  return {
    directory,
    logs: at("logs"),
    kubeconfigs: at("kubeconfigs"),
    bin: at("bin"),
    state: at("state.json"),
    holder: at("holder.json"),
    tokens: at("pki", "tokens.csv"),
    servingCertificate: at("pki", "apiserver.crt"),
    serviceAccountKey: at("pki", "service-account.key"),
    serviceAccountPublicKey: at("pki", "service-account.pub"),
    auditPolicy: at("pki", "audit-policy.json"),
  };
}

/** One rule: who did what to which object, without bodies; tests and people read it. */
export const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Metadata" }],
};

export interface EtcdPorts {
  readonly client: number;
  readonly peer: number;
}

/** The data is thrown away with the cluster, so etcd need not wait for the disk. */
export function etcdArguments(layout: Layout, ports: EtcdPorts): string[] {
  const [client, peer] = [`http://127.0.0.1:${ports.client}`, `http://127.0.0.1:${ports.peer}`];
  return [
    `--data-dir=${join(layout.directory, "etcd")}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    "--unsafe-no-fsync",
    "--log-level=warn",
  ];
}

export function apiserverArguments(layout: Layout, etcdPort: number, port: number, options: ClusterOptions): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    // A loopback address may not stand in the Endpoints of the service "kubernetes".
    "--endpoint-reconciler-type=none",
    `--secure-port=${port}`,
    `--cert-dir=${join(layout.directory, "pki")}`,
    `--token-auth-file=${layout.tokens}`,
    "--authorization-mode=Node,RBAC",
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-key-file=${layout.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${layout.serviceAccountKey}`,
    "--service-cluster-ip-range=10.96.0.0/16",
    "--allow-privileged=true",
    `--audit-policy-file=${layout.auditPolicy}`,
    `--audit-log-path=${join(layout.logs, "audit.log")}`,
    ...versionArguments(options),
    ...options.apiserverArgs,
  ];
}

/**
 * No kubelet reports here, so the controllers that give up on silent nodes are off; all others run as shipped: without
 * clusterrole-aggregation, for one, the role "edit" would be empty and tests with tenants would prove nothing.
 */
const controllers = "*,-node-lifecycle-controller,-taint-eviction-controller,-pod-garbage-collector-controller";

export function controllerManagerArguments(
  layout: Layout,
  kubeconfig: string,
  port: number,
  options: ClusterOptions,
): string[] {
  return [
    ...secureServing(kubeconfig, port),
    `--controllers=${controllers}`,
    "--use-service-account-credentials=true",
    `--service-account-private-key-file=${layout.serviceAccountKey}`,
    `--root-ca-file=${layout.servingCertificate}`,
    ...versionArguments(options),
    ...options.controllerManagerArgs,
  ];
}

export function schedulerArguments(kubeconfig: string, port: number, options: ClusterOptions): string[] {
  return [...secureServing(kubeconfig, port), ...versionArguments(options)];
}

function secureServing(kubeconfig: string, port: number): string[] {
  return [`--kubeconfig=${kubeconfig}`, "--bind-address=127.0.0.1", `--secure-port=${port}`, "--leader-elect=false"];
}

function versionArguments({ emulate, featureGates }: ClusterOptions): string[] {
  return [
    ...(emulate === undefined ? [] : [`--emulated-version=kube=${emulate}`]),
    ...(featureGates === undefined ? [] : [`--feature-gates=${featureGates}`]),
  ];
}
