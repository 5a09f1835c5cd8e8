import type { Client } from "../src/kube/client.ts";
import { loadTarget } from "../src/kube/config/load-target.ts";
import { openClient } from "../src/kube/open-client.ts";

/** Portway's own client, with no rate limit. */
export async function connect(kubeconfig: string): Promise<Client> {
  return openClient(await loadTarget({ env: {}, kubeconfig }), { component: "portway-bench", version: "0" });
}
