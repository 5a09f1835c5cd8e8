import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { spawnLeashed } from "../src/dev/component.ts";
import { packageRoot } from "../src/dev/paths.ts";
import { freePort } from "../src/dev/ports.ts";
import { shippedEnv, shippedFlags } from "./contestants.ts";

/** The program as it ships, in one of its roles. */
export interface Program extends AsyncDisposable {
  /** Since its process was made. */
  secondsSinceStart(): number;
  megabytes(): Promise<number>;
  exitCode(): number | null;
}

/** One that tells its metrics. */
export interface Controller extends Program {
  /** Until a sample of its metrics, added up over its labels, is at least this. */
  until(metric: string, atLeast: number): Promise<void>;
}

export async function bundle(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(packageRoot, "check/bundle.ts")], { cwd: packageRoot });
}

export function startProgram(words: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const args = [...shippedFlags, join(packageRoot, "build/portway.cjs"), ...words];
  const start = performance.now();
  const child = spawnLeashed(process.execPath, args, {
    stdio: "ignore",
    env: { ...process.env, ...shippedEnv, ...env },
  });
  const ended = once(child, "exit");
  return {
    secondsSinceStart: () => (performance.now() - start) / 1000,
    async megabytes() {
      const status = await readFile(`/proc/${child.pid ?? 0}/status`, "utf8");
      return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / 1e6;
    },
    exitCode: () => child.exitCode,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

export async function startController(words: readonly string[]): Promise<Controller> {
  const endpoint = `127.0.0.1:${await freePort()}`;
  const program = startProgram([...words, `--http-endpoint=${endpoint}`]);
  const valueOf = async (metric: string) => {
    const answer = await fetch(`http://${endpoint}/metrics`).catch(() => undefined);
    const lines = ((await answer?.text()) ?? "").split("\n").filter((line) => line.startsWith(metric));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
  };
  return {
    ...program,
    async until(metric, atLeast) {
      while ((await valueOf(metric)) < atLeast) {
        if (program.exitCode() !== null) throw new Error(`${words[0]} ended with ${program.exitCode()}`);
        await sleep(50);
      }
    },
  };
}
