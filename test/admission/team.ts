import type { TestContext } from "node:test";
import type { Handle } from "../../src/dev/cluster/handle.ts";
import type { Client } from "../../src/kube/client.ts";
import { newNamespace } from "../fixture/client.ts";
import { tenantWith } from "../fixture/tenant.ts";

/** Alice administers a namespace, Bob edits in it. */
export async function teamOn(t: TestContext, cluster: Handle, admin: Client) {
  const namespace = await newNamespace(t, admin);
  const alice = { t, admin, namespace, as: await tenantWith(t, cluster, "alice", namespace, "admin") };
  return { namespace, alice, bob: { ...alice, as: await tenantWith(t, cluster, "bob", namespace, "edit") } };
}
