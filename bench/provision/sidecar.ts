import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../src/api/failure.ts";
import { leases } from "../../src/api/gen/coordination.ts";
import { startComponent } from "../../src/dev/component.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { freePort } from "../../src/dev/ports.ts";
import { isOk } from "../../src/dev/probe.ts";
import type { Client } from "../../src/kube/client.ts";
import { shippedEnv, shippedFlags } from "../contestants.ts";
import type { Driver } from "./drivers.ts";
import type { Contestant } from "./figures.ts";

/** What a program needs that is not the driver's. */
export interface Ground {
  readonly goProgram: string;
  /** Of the account in upstream's rbac.yaml; both use the same. */
  readonly kubeconfig: string;
  readonly admin: Client;
  readonly logs: string;
  readonly stop: AbortSignal;
}

export interface Memory {
  readonly restMegabytes: number;
  readonly peakMegabytes: number;
}

/** One of the two programs, beside a driver, in the lead. */
export interface Sidecar extends AsyncDisposable {
  cpuSeconds(): Promise<number>;
  memory(): Promise<Memory>;
  /** The same, or the reason why it cannot be: the program has ended. */
  during<T>(work: Promise<T>): Promise<T>;
}

const namespace = "default";

export async function startSidecar(
  contestant: Contestant,
  { socket, lease }: Driver,
  flags: readonly string[],
  { goProgram, kubeconfig, admin, logs, stop }: Ground,
): Promise<Sidecar> {
  await forgetLeader(admin, lease);
  const port = await freePort();
  const words = [
    `--kubeconfig=${kubeconfig}`,
    `--csi-address=${socket}`,
    `--http-endpoint=127.0.0.1:${port}`,
    "--leader-election",
    `--leader-election-namespace=${namespace}`,
    ...flags,
  ];
  const isOurs = contestant === "portway";
  const ours = [...shippedFlags, join(packageRoot, "build/portway.cjs"), "csi-provisioner"];
  const component = await startComponent(
    {
      name: contestant,
      program: isOurs ? process.execPath : goProgram,
      args: isOurs ? [...ours, ...words] : words,
      // KUBECONFIG would win over the flag.
      env: { KUBECONFIG: "", ...(isOurs ? shippedEnv : {}) },
      logFile: join(logs, `bench-${contestant}.log`),
      isReady: () => isOk(`http://127.0.0.1:${port}/metrics`),
    },
    stop,
  );
  const broken = component.ended.then((why): never => {
    throw new Failure(why, "Run it again on a quieter machine.");
  });
  // Whoever stops it is not told.
  broken.catch(() => undefined);
  const during = <T>(work: Promise<T>) => Promise.race([work, broken]);
  await during(untilLed(admin, lease, stop));
  const proc = (file: string) => readFile(`/proc/${component.pid}/${file}`, "utf8");
  return {
    during,
    cpuSeconds: async () => cpuSecondsIn(await proc("stat")),
    memory: async () => memoryIn(await proc("status")),
    [Symbol.asyncDispose]: () => component.stop(),
  };
}

/** external-provisioner does not release its lease: whoever comes next would wait until it ends. */
async function forgetLeader(admin: Client, name: string): Promise<void> {
  const found = await admin.find(leases, { namespace, name });
  if (found !== undefined) await admin.delete(leases, { namespace, name, uid: found.metadata.uid });
}

async function untilLed(admin: Client, name: string, stop: AbortSignal): Promise<void> {
  for (;;) {
    const lease = await admin.find(leases, { namespace, name });
    if ((lease?.spec?.holderIdentity ?? "") !== "") return;
    await sleep(100, undefined, { signal: stop });
  }
}

export function memoryIn(status: string): Memory {
  const megabytes = (field: string) =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024) / 1e6;
  return { restMegabytes: megabytes("VmRSS"), peakMegabytes: megabytes("VmHWM") };
}

const ticksPerSecond = 100;

/** Fields 14 and 15; the second field is a name in brackets that may hold spaces. */
export function cpuSecondsIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
