import { deepEqual, equal, ok } from "node:assert/strict";
import { after, test } from "node:test";
import { faultProxy } from "../faults/proxy/fault-proxy.ts";
import { subjectOf } from "../faults/sweep/subject.ts";
import { adminClient } from "../fixture/client.ts";
import { installPortway, transferAccount } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { approve, ask, untilComplete, untilTold } from "../fixture/transfer.ts";
import { handOver } from "./flows/flows.ts";
import { boundPair } from "./ground.ts";
import { obstaclesOn } from "./obstacles.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());

test("pods are watched in the source's namespace alone, while a transfer from there waits, and not a moment before it is approved", async (t) => {
  const proxy = await faultProxy({ kubeconfig: cluster.kubeconfigOf("admin") });
  t.after(() => proxy.close());
  const subject = subjectOf(handOver.program(await proxy.kubeconfigFor(await transferAccount(cluster))));
  t.after(() => subject.stopped());
  subject.start();
  const read = () => proxy.reads().filter(({ resource }) => resource === "pods");
  const [used, bystander] = [await boundPair(t, admin), await boundPair(t, admin)];
  const { transfer } = used;
  const goes = await obstaclesOn(admin).aPod(used, "Running");

  await ask(admin, transfer);
  await ask(admin, bystander.transfer);
  await untilTold(admin, transfer, "AwaitingApproval");
  await untilTold(admin, bystander.transfer, "AwaitingApproval");
  deepEqual(read(), [], "nobody has approved that anybody looks there");

  await approve(admin, transfer);
  await untilTold(admin, transfer, "SourceInUse");
  equal(proxy.watching("pods"), 1);
  await goes();
  await untilComplete(admin, transfer);
  await until("the watch is closed", () => proxy.watching("pods") === 0);
  ok(read().length > 0);
  deepEqual([...new Set(read().map(({ namespace }) => namespace))], [transfer.from.namespace]);
});
