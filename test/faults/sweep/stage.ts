import { adminClient } from "../../fixture/client.ts";
import { monitor } from "../monitor.ts";
import { faultProxy } from "../proxy/fault-proxy.ts";
import type { Flow, Ground, Stage } from "./flow.ts";
import { subjectOf } from "./subject.ts";

/** Sets up a flow on a cluster: the process runs with its own rights and sees the server only through the proxy. */
export async function stageFor<World>(flow: Flow<World>, cluster: Ground): Promise<Stage & AsyncDisposable> {
  await using undo = new AsyncDisposableStack();
  const admin = await adminClient(cluster);
  undo.defer(() => admin.close());
  const flags = (await flow.beside?.({ cluster, admin }, undo)) ?? [];
  const account = await flow.install({ cluster, admin });
  const proxy = await faultProxy({ kubeconfig: cluster.kubeconfigOf("admin") });
  undo.defer(() => proxy.close());
  const watcher = await monitor({ client: admin, watched: flow.watched, rules: flow.stateRules });
  undo.defer(() => watcher.close());
  const program = flow.program(await proxy.kubeconfigFor(account));
  const subject = subjectOf({ ...program, args: [...program.args, ...flags] }, () => proxy.clientDied());
  subject.start();
  undo.defer(async () => {
    const code = await subject.stopped();
    // One process that is left would write into all that comes after.
    if (subject.left().length > 0) throw new Error(`${flow.name}: processes are left: ${subject.left().join(", ")}`);
    if (code !== 0) throw new Error(`${flow.name}: it did not end in order, but ${code}:\n${subject.lastWords()}`);
  });
  const whole = undo.move();
  const past = new Set<string>();
  return { cluster, admin, proxy, monitor: watcher, subject, past, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}
