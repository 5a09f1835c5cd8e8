import type { TestContext } from "node:test";
import { faultProxy } from "../faults/proxy/fault-proxy.ts";
import { transferAccount } from "../fixture/install.ts";
import { transferController } from "../fixture/transfer-controller.ts";
import type { Ground } from "./ground.ts";

/** Dies when the volume is bound to its new claim, before the policy is put back, and stays dead. */
export async function onePortwayThatDies(
  t: TestContext,
  { cluster, controller }: Ground,
): Promise<{ readonly death: Promise<unknown> }> {
  await controller.stopped();
  const proxy = await faultProxy({ kubeconfig: cluster.kubeconfigOf("admin") });
  t.after(() => proxy.close());
  const account = await proxy.kubeconfigFor(await transferAccount(cluster));
  const mortal = await transferController(t, cluster, [`--kubeconfig=${account}`]);
  const { whenFired } = proxy.arm({
    site: ({ resource, body }) =>
      resource === "persistentvolumes" && JSON.stringify(body).includes('\\"outcome\\":\\"complete\\"'),
    fault: { kind: "kill-before" },
    kill: () => mortal.killed(),
  });
  await mortal.start();
  return { death: whenFired };
}
