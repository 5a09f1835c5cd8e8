import type { TestContext } from "node:test";
import type { Handle } from "../../src/dev/cluster/handle.ts";
import type { Client } from "../../src/kube/client.ts";
import { clientOf, randomWord } from "../fixture/client.ts";
import { untilAllowed } from "../fixture/tenant.ts";

/** As it stands in a ClusterRole about our kinds. A subresource is a resource of its own there. */
export interface Right {
  readonly resource: string;
  readonly names?: readonly string[];
  readonly verbs: readonly string[];
}

const group = "cosi.io";
const rbac = "rbac.authorization.k8s.io";

/** Gives a user of the lane these rights in the whole cluster while the test runs; answers when the server knows. */
export async function allowed(
  t: TestContext,
  cluster: Handle,
  user: string,
  rights: readonly Right[],
): Promise<Client> {
  const name = `t-${randomWord()}`;
  const rules = rights.map(({ resource, names, verbs }) => ({
    apiGroups: [group],
    resources: [resource],
    verbs,
    ...(names === undefined ? {} : { resourceNames: names }),
  }));
  await cluster.apply(clusterRole(name, user, rules));
  t.after(() => cluster.kubectl(["delete", "clusterrolebinding,clusterrole", name]));
  const client = await clientOf(cluster.kubeconfigOf(user));
  t.after(() => client.close());
  for (const { resource: path, names: [first] = [], verbs } of rights) {
    const [resource = "", subresource] = path.split("/");
    const what = { group, resource, ...(subresource === undefined ? {} : { subresource }) };
    for (const verb of verbs)
      await untilAllowed(client, { ...what, verb, ...(first === undefined ? {} : { name: first }) });
  }
  return client;
}

/** As the platform team does it: by the name of the class, for the whole cluster. */
export async function mayUse(t: TestContext, cluster: Handle, user: string, bucketClass: string): Promise<void> {
  await allowed(t, cluster, user, [{ resource: "bucketclasses", names: [bucketClass], verbs: ["use"] }]);
}

function clusterRole(name: string, user: string, rules: readonly object[]): string {
  const role = { apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name }, rules };
  const binding = {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
    subjects: [{ apiGroup: rbac, kind: "User", name: user }],
  };
  return [role, binding].map((object) => JSON.stringify(object)).join("\n---\n");
}
