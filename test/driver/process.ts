import { once } from "node:events";
import { join } from "node:path";
import { spawnLeashed } from "../../src/dev/component.ts";
import { accepts } from "../../src/dev/probe.ts";
import { until } from "../fixture/portway.ts";
import type { DriverPlace, RunningDriver } from "./serve.ts";

interface Words {
  readonly socket?: string | undefined;
  readonly state?: string | undefined;
  readonly script?: string | undefined;
}

/** The body of a driver's own process: serves until it is told to stop. */
export async function runUntilStopped(
  { socket, state, script }: Words,
  start: (place: DriverPlace) => Promise<RunningDriver>,
): Promise<void> {
  if (socket === undefined || state === undefined) throw new Error("--socket and --state are needed");
  const driver = await start({ socket, state, mayDie: true, ...(script === undefined ? {} : { script }) });
  const stop = () => void driver.stop().then(() => process.exit(0));
  process.on("SIGTERM", stop).on("SIGINT", stop);
}

export interface DriverProcess {
  readonly pid: number;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Resolves when the process is gone, by whatever hand. */
  readonly ended: Promise<void>;
}

/** Starts a driver as a process of its own, as `csi-driver.ts` or `bucket-driver.ts`; it goes with the test. */
export async function spawnDriver(
  scope: { after(end: () => Promise<unknown>): void },
  program: "csi-driver.ts" | "bucket-driver.ts",
  { socket, state, script }: DriverPlace,
  more: readonly string[] = [],
): Promise<DriverProcess> {
  const words = [`--socket=${socket}`, `--state=${state}`, ...(script === undefined ? [] : [`--script=${script}`])];
  const child = spawnLeashed(process.execPath, [join(import.meta.dirname, program), ...words, ...more], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = once(child, "exit").then(() => undefined);
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  scope.after(() => kill("SIGKILL"));
  await until("the driver listens, or is gone", async () => child.exitCode !== null || (await accepts(socket)));
  if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
  return { pid: child.pid ?? 0, kill, ended };
}
