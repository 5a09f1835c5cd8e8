import { rm } from "node:fs/promises";
import { join } from "node:path";
import { storageClasses } from "../../src/api/gen/storage.ts";
import type { Cluster } from "../../src/dev/cluster/cluster.ts";
import { startComponent } from "../../src/dev/component.ts";
import { accepts } from "../../src/dev/probe.ts";
import type { Client } from "../../src/kube/client.ts";
import type { Stage } from "./work.ts";

/** A driver that runs, and the class whose claims it serves. */
export interface Driver extends AsyncDisposable {
  readonly socket: string;
  readonly storageClassName: string;
  /** Of whoever leads beside it, in either program. */
  readonly lease: string;
}

const fast = { name: "fast.bench.portway.dev", storageClassName: "bench-fast", lease: "fast-bench-portway-dev" };

export async function createFastClass(client: Client): Promise<void> {
  await client.create(storageClasses, {
    metadata: { name: fast.storageClassName },
    provisioner: fast.name,
    reclaimPolicy: "Delete",
    volumeBindingMode: "Immediate",
  });
}

/** The cluster has host-path as an add-on; the fast one is started anew for every stage. */
export async function driverFor(
  { driver, delayMilliseconds }: Pick<Stage, "driver" | "delayMilliseconds">,
  cluster: Cluster,
  stop: AbortSignal,
): Promise<Driver> {
  if (driver === "host-path") {
    const socket = cluster.state.env["PORTWAY_DEV_CSI_SOCKET"] ?? "";
    const nothing = async () => undefined;
    return { socket, storageClassName: "hostpath", lease: "hostpath-csi-k8s-io", [Symbol.asyncDispose]: nothing };
  }
  const socket = join(cluster.layout.directory, "fast.sock");
  // Whoever was killed has left it behind.
  await rm(socket, { force: true });
  const words = [`--socket=${socket}`, `--name=${fast.name}`, `--delay=${delayMilliseconds}`];
  const component = await startComponent(
    {
      name: "the fast driver",
      program: process.execPath,
      args: [join(import.meta.dirname, "fast-driver.ts"), ...words],
      logFile: join(cluster.layout.logs, "fast-driver.log"),
      isReady: () => accepts(socket),
    },
    stop,
  );
  return { socket, ...fast, [Symbol.asyncDispose]: () => component.stop() };
}
