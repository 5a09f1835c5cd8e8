import type { TestContext } from "node:test";
import type { Handle } from "../../src/dev/cluster/handle.ts";
import type { Client } from "../../src/kube/client.ts";
import { tenantWith } from "../fixture/tenant.ts";

/** Somebody who works in a namespace, and who was given one of the roles that Portway ships besides. */
export async function memberOf(
  t: TestContext,
  cluster: Handle,
  user: string,
  namespace: string,
  role: "portway-approver" | "portway-requester",
): Promise<Client> {
  await tenantWith(t, cluster, user, namespace, "edit");
  return await tenantWith(t, cluster, user, namespace, role);
}
