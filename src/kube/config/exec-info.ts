import { Failure } from "../../api/failure.ts";
import type { ExecSpec } from "./exec-spec.ts";

/** The cluster as a plugin is told of it, under the names of client.authentication.k8s.io. */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name": string | undefined;
  readonly "insecure-skip-tls-verify": true | undefined;
  /** Base64. */
  readonly "certificate-authority-data": string | undefined;
  readonly "proxy-url": string | undefined;
  readonly config: unknown;
}

/** What the plugin finds in KUBERNETES_EXEC_INFO. */
export function execInfo(spec: ExecSpec, interactive: boolean, cluster: ExecCluster): string {
  return JSON.stringify({
    apiVersion: spec.apiVersion,
    kind: "ExecCredential",
    spec: { interactive, ...(spec.provideClusterInfo ? { cluster } : {}) },
  });
}

/** Whether the plugin gets our standard input. */
export function isInteractive(spec: ExecSpec, hasTerminal: boolean): boolean {
  if (spec.interactiveMode === "Always" && !hasTerminal)
    throw new Failure(
      `${spec.place} wants to ask a person, and standard input is not a terminal`,
      "Run this in a terminal, or use credentials that need no person.",
    );
  return spec.interactiveMode !== "Never" && hasTerminal;
}
