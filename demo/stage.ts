import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Cluster } from "../src/dev/cluster/cluster.ts";

export interface Outcome {
  /** SHA-256 of what prod wrote, and of what stage found. */
  readonly written: string;
  readonly received: string;
}

export type Show = (line: string) => void;

export const bound = "--for=jsonpath={.status.phase}=Bound";
export const patience = "--timeout=120s";
export const columns =
  "custom-columns=VOLUME:.metadata.name,PHASE:.status.phase,POLICY:.spec.persistentVolumeReclaimPolicy,NAMESPACE:.spec.claimRef.namespace,CLAIM:.spec.claimRef.name";

/** Each command is shown as this person would type it. */
export function as(cluster: Cluster, user: string, name: string, show: Show) {
  const kubeconfig = cluster.kubeconfigOf(user);
  return async (...args: readonly string[]): Promise<void> => {
    show(`${name.padEnd(8)} $ kubectl ${args.map(quoted).join(" ").replace(columns, "custom-columns=…")}`);
    const words = args.map((word) => (word.endsWith(".yaml") ? join(import.meta.dirname, word) : word));
    const answer = (await cluster.kubectl(words, { kubeconfig })).trim();
    if (answer !== "") show(answer.replaceAll(/^/gm, "  "));
  };
}

function quoted(word: string): string {
  if (word.endsWith(".yaml")) return `demo/${word}`;
  return word.includes('"') ? `'${word}'` : word;
}

export async function volumeOf(cluster: Cluster, namespace: string, claim: string): Promise<string> {
  return await cluster.kubectl(["get", "pvc", claim, "-n", namespace, "-o", "jsonpath={.spec.volumeName}"]);
}

/** The file of the application. host-path keeps a volume in a directory named after its handle. */
export async function dataOf(cluster: Cluster, namespace: string, claim: string): Promise<string> {
  const volume = await volumeOf(cluster, namespace, claim);
  const handle = await cluster.kubectl(["get", "pv", volume, "-o", "jsonpath={.spec.csi.volumeHandle}"]);
  return join(cluster.state.env["PORTWAY_DEV_VOLUMES"] ?? "", handle, "data.raw");
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
