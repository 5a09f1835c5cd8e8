import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { spawnLeashed } from "../../src/dev/component.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { freePort } from "../../src/dev/ports.ts";
import { shippedEnv, shippedFlags } from "../contestants.ts";

/** The program as it ships, with its own account. */
export interface Controller extends AsyncDisposable {
  /** Since its process was made. */
  secondsSinceStart(): number;
  /** Until a sample of its metrics, added up over its labels, is at least this. */
  until(metric: string, atLeast: number): Promise<void>;
  megabytes(): Promise<number>;
}

export async function bundle(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(packageRoot, "check/bundle.ts")], { cwd: packageRoot });
}

export async function startController(kubeconfig: string, more: readonly string[] = []): Promise<Controller> {
  const endpoint = `127.0.0.1:${await freePort()}`;
  const program = join(packageRoot, "build/portway.cjs");
  const flags = ["--domains=transfer", `--kubeconfig=${kubeconfig}`, `--http-endpoint=${endpoint}`];
  const args = [...shippedFlags, program, "controller", ...flags, ...more, "--leader-election-identity=bench"];
  const start = performance.now();
  const child = spawnLeashed(process.execPath, args, { stdio: "ignore", env: { ...process.env, ...shippedEnv } });
  const ended = once(child, "exit");
  const valueOf = async (metric: string) => {
    const answer = await fetch(`http://${endpoint}/metrics`).catch(() => undefined);
    const lines = ((await answer?.text()) ?? "").split("\n").filter((line) => line.startsWith(metric));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
  };
  return {
    secondsSinceStart: () => (performance.now() - start) / 1000,
    async until(metric, atLeast) {
      while ((await valueOf(metric)) < atLeast) {
        if (child.exitCode !== null) throw new Error(`the controller ended with ${child.exitCode}`);
        await sleep(50);
      }
    },
    async megabytes() {
      const status = await readFile(`/proc/${child.pid ?? 0}/status`, "utf8");
      return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / 1e6;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
