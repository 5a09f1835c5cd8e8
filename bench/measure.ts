import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { spawnLeashed } from "../src/dev/component.ts";
import type { Contestant } from "./contestants.ts";
import type { Outcome } from "./subjects/subject.ts";

export interface Errand {
  readonly mode: "sync" | "get" | "watch" | "start";
  readonly kubeconfig: string;
  readonly claim: string;
  readonly count: number;
  /** The API server's process. */
  readonly server: number;
  /** What it must have counted, or it measured something else. */
  readonly expected: number;
}

export interface Sample extends Outcome {
  /** From the start of the process to its line. */
  readonly wallSeconds: number;
  /** A second after the line; 0 when the process did not stay that long. */
  readonly restMegabytes: number;
  readonly peakMegabytes: number;
  /** What the API server used in the same time. */
  readonly serverCpuSeconds: number;
}

const restMilliseconds = 1000;

/** One errand in one fresh process. */
export async function measure({ name, command, env }: Contestant, errand: Errand, stop: AbortSignal): Promise<Sample> {
  stop.throwIfAborted();
  const [program, ...args] = [...command, errand.mode, errand.kubeconfig, errand.claim, String(errand.count)];
  const serverBefore = await cpuSecondsOf(errand.server);
  const start = performance.now();
  const child = spawnLeashed(program, args, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...env } });
  const kill = () => child.kill("SIGKILL");
  stop.addEventListener("abort", kill, { once: true });
  const ended = Promise.withResolvers<void>();
  child.on("error", ended.reject).on("close", () => ended.resolve());
  try {
    if (child.stdout === null) throw new Error("a subject was started without stdout");
    const outcome = await firstLine(createInterface({ input: child.stdout }), `${name} ${errand.mode}`);
    const wallSeconds = (performance.now() - start) / 1000;
    const serverCpuSeconds = (await cpuSecondsOf(errand.server)) - serverBefore;
    if (outcome.count !== errand.expected)
      throw new Error(`${name} ${errand.mode} counted ${outcome.count}, not ${errand.expected}`);
    const memory = errand.mode === "sync" ? await memoryAtRest(child.pid ?? 0) : { restMegabytes: 0, peakMegabytes: 0 };
    return { ...outcome, wallSeconds, serverCpuSeconds, ...memory };
  } finally {
    stop.removeEventListener("abort", kill);
    kill();
    await ended.promise;
  }
}

async function firstLine(lines: AsyncIterable<string>, what: string): Promise<Outcome> {
  for await (const line of lines) return JSON.parse(line) as Outcome;
  throw new Error(`${what} ended without a result`);
}

async function memoryAtRest(pid: number): Promise<Pick<Sample, "restMegabytes" | "peakMegabytes">> {
  await sleep(restMilliseconds);
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const megabytes = (field: string) =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024) / 1e6;
  return { restMegabytes: megabytes("VmRSS"), peakMegabytes: megabytes("VmHWM") };
}

const ticksPerSecond = 100;

/** Fields 14 and 15 of /proc/PID/stat; the second field is a name in brackets that may hold spaces. */
async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
