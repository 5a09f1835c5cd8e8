import type { Tenant } from "./options.ts";

/** Namespaces and role bindings for the tenants that have one, as one list for kubectl. */
export function tenantObjects(tenants: readonly Tenant[]): readonly object[] {
  return tenants.flatMap(({ name, namespace, role }) => {
    if (namespace === undefined || role === undefined) return [];
    return [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "RoleBinding",
        metadata: { name: `${name}-${role}`, namespace },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
        subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name }],
      },
    ];
  });
}

export function listOf(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: "v1", kind: "List", items });
}
