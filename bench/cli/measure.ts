import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";

/** Some runs of a program that must succeed. */
export interface Batch {
  readonly wallMilliseconds: readonly number[];
  /** Of one run, as the mean of the batch: the kernel counts the time of children in hundredths of a second. */
  readonly cpuMilliseconds: number;
}

/** Runs it so many times, one after another, from a process that has no other children that end meanwhile. */
export async function batchOf(
  [program, ...args]: readonly [string, ...string[]],
  { env, count, stop }: { readonly env: NodeJS.ProcessEnv; readonly count: number; readonly stop: AbortSignal },
): Promise<Batch> {
  const before = await cpuOfEndedChildren();
  const wallMilliseconds: number[] = [];
  for (let i = 0; i < count; i++) {
    stop.throwIfAborted();
    const start = performance.now();
    // Without the leash of longer-lived processes, which would be a part of what is measured.
    const child = spawn(program, args, { stdio: "ignore", env });
    const [code] = (await once(child, "exit")) as [number | null];
    wallMilliseconds.push(performance.now() - start);
    if (code !== 0) throw new Error(`${[program, ...args].join(" ")} ended with ${code}`);
  }
  return { wallMilliseconds, cpuMilliseconds: ((await cpuOfEndedChildren()) - before) / count };
}

const ticksPerSecond = 100;

/** Fields 16 and 17 of /proc/self/stat; the second field is a name in brackets that may hold spaces. */
async function cpuOfEndedChildren(): Promise<number> {
  const stat = await readFile("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[13]) + Number(fields[14])) * 1000) / ticksPerSecond;
}
