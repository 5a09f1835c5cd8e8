import type { TestContext } from "node:test";
import type { Handle } from "../../src/dev/cluster/handle.ts";
import type { Client } from "../../src/kube/client.ts";
import type { ClientSettings } from "../../src/kube/open-client.ts";
import { clientOf } from "../fixture/client.ts";
import { type FaultProxy, faultProxy } from "./proxy/fault-proxy.ts";

export interface BehindProxy {
  readonly proxy: FaultProxy;
  /** The client that ships, through the proxy. */
  readonly client: Client;
}

/** A proxy of the test's own before the cluster, and a client behind it; both go with the test. */
export async function behindProxy(
  t: TestContext,
  cluster: Handle,
  settings: Partial<ClientSettings> = {},
  user = "admin",
): Promise<BehindProxy> {
  const proxy = await faultProxy({ kubeconfig: cluster.kubeconfigOf("admin") });
  const client = await clientOf(await proxy.kubeconfigFor(cluster.kubeconfigOf(user)), settings);
  t.after(async () => {
    await proxy.close();
    await client.close();
  });
  return { proxy, client };
}
