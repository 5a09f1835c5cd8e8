import { readFile } from "node:fs/promises";
import { loadAll } from "js-yaml";
import type { Handle } from "../../../src/dev/cluster/handle.ts";

/** What upstream ships, as far as names and places are concerned. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly subjects?: readonly { readonly namespace?: string }[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
}

/**
 * The kubeconfig of an account in this namespace with exactly the rights of upstream's rbac.yaml. That file asks whoever
 * deploys it to change its namespace and its cluster-wide names, and nothing else is changed; reading Secrets is a rule that
 * stands in it as a comment.
 */
export async function vendorAccount(
  cluster: Handle,
  rbacFile: string,
  { namespace, readsSecrets }: { readonly namespace: string; readonly readsSecrets: boolean },
): Promise<string> {
  const shipped = await readFile(rbacFile, "utf8");
  const manifests = loadAll(readsSecrets ? withSecrets(shipped) : shipped) as readonly Manifest[];
  const objects = manifests.map((manifest) => JSON.stringify(movedTo(namespace, manifest)));
  await cluster.kubectl(["create", "namespace", namespace]);
  await cluster.apply(objects.join("\n---\n"));
  const account = manifests.find(({ kind }) => kind === "ServiceAccount");
  if (account === undefined) throw new Error(`${rbacFile} has no account`);
  return await cluster.serviceAccount(namespace, account.metadata.name);
}

export async function removeAccount(cluster: Handle, namespace: string): Promise<void> {
  const roles = ["clusterrolebinding,clusterrole", "-l", `${ownerLabel}=${namespace}`];
  await cluster.kubectl(["delete", ...roles]);
  await cluster.kubectl(["delete", "namespace", namespace, "--wait=false"]);
}

const ownerLabel = "compare.portway.dev/of";
const secretsRule = /^( *)# (- apiGroups: \[""\])\n *# ( *resources: \["secrets"\])\n *# ( *verbs: .*)$/m;

function withSecrets(shipped: string): string {
  if (!secretsRule.test(shipped)) throw new Error("rbac.yaml has no rule for secrets among its comments any more");
  return shipped.replace(secretsRule, "$1$2\n$1$3\n$1$4");
}

function movedTo(namespace: string, { metadata, subjects, roleRef, ...rest }: Manifest): object {
  const isClusterWide = metadata.namespace === undefined;
  const own = (name: string) => `${name}-${namespace}`;
  return {
    ...rest,
    metadata: isClusterWide
      ? { ...metadata, name: own(metadata.name), labels: { [ownerLabel]: namespace } }
      : { ...metadata, namespace },
    ...(subjects === undefined ? {} : { subjects: subjects.map((subject) => ({ ...subject, namespace })) }),
    ...(roleRef === undefined
      ? {}
      : { roleRef: roleRef.kind === "ClusterRole" ? { ...roleRef, name: own(roleRef.name) } : roleRef }),
  };
}
