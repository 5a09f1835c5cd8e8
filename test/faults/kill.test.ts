import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { configMaps } from "../../src/api/gen/core.ts";
import { adminClient, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { start } from "../fixture/portway.ts";
import { expectNothingLeft } from "../fixture/transport.ts";
import { behindProxy } from "./behind-proxy.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());
expectNothingLeft();

const cases = [
  ["kill-before", ["first"], [201, undefined]],
  ["kill-after", ["first", "second"], [201, 201]],
] as const;

for (const [kind, stored, codes] of cases) {
  test(`${kind}: a process that is killed at its second write leaves ${stored.join(" and ")}`, async (t) => {
    const { proxy } = await behindProxy(t, cluster);
    const namespace = await newNamespace(t, admin);
    const kubeconfig = await proxy.kubeconfigFor(cluster.kubeconfigOf("admin"));
    const running = start(t, [kubeconfig, namespace], { program: "test/faults/three-writes.ts" });
    const kill = async () => {
      running.process.kill("SIGKILL");
      await running.ended;
    };
    const armed = proxy.arm({ site: { n: 2 }, fault: { kind }, kill });
    const record = await armed.whenFired;
    deepEqual([record.n, record.name, record.delivered], [2, "second", false]);
    equal((await running.ended).code, null);
    await proxy.quiet(100);
    deepEqual(
      proxy.log().map(({ code }) => code),
      codes,
    );
    const names = (await Array.fromAsync(admin.pages(configMaps, { namespace })))
      .flatMap(({ items }) => items.map(({ metadata }) => metadata.name))
      .filter((name) => name !== "kube-root-ca.crt");
    deepEqual(names, stored);
  });
}
