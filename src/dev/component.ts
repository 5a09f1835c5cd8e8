import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../api/failure.ts";
import { lastWords } from "./last-words.ts";

export interface ComponentSpec {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Asked again and again until it answers true; a rejection is a bug, "not yet" is false. */
  readonly isReady: () => Promise<boolean>;
}

/** A running process of the cluster. */
export interface Component {
  readonly name: string;
  readonly spec: ComponentSpec;
  readonly pid: number;
  /** Why it ended, in words; never rejects. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

const readyWithinSeconds = 90;
const graceSeconds = 3;
/** How long a parent-death signal would be missing if setpriv were not there: for ever. Debian has it in util-linux. */
const leash = existsSync("/usr/bin/setpriv") ? ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"] : [];

/** Starts a process that cannot outlive this one, not even when this one is killed with SIGKILL. */
export function spawnLeashed(
  program: string,
  args: readonly string[],
  options: Parameters<typeof spawn>[2],
): ChildProcess {
  const [first = program, ...rest] = [...leash, program, ...args];
  return spawn(first, rest, options);
}

export async function startComponent(spec: ComponentSpec, stop: AbortSignal): Promise<Component> {
  stop.throwIfAborted();
  const log = await open(spec.logFile, "a");
  const child = spawnLeashed(spec.program, spec.args, {
    stdio: ["ignore", log.fd, log.fd],
    env: { ...process.env, ...spec.env },
  });
  const component = componentOf(spec, child);
  await log.close();
  try {
    await untilReady(spec, component, stop);
    return component;
  } catch (problem) {
    await component.stop();
    throw problem;
  }
}

function componentOf(spec: ComponentSpec, child: ChildProcess): Component {
  const ended = reasonOfEnd(spec, child);
  return {
    name: spec.name,
    spec,
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill("SIGTERM");
      const inTime = new AbortController();
      const late = sleep(graceSeconds * 1000, undefined, { signal: inTime.signal }).then(
        () => child.kill("SIGKILL"),
        () => undefined,
      );
      await ended;
      inTime.abort();
      await late;
    },
  };
}

async function reasonOfEnd(spec: ComponentSpec, child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    const how = signal === null ? `exit code ${code}` : signal;
    const log = await readFile(spec.logFile, "utf8").catch(() => "");
    return `${spec.name} stopped (${how}): ${lastWords(log)}`;
  } catch (problem) {
    return `${spec.name} could not be started: ${(problem as Error).message}`;
  }
}

async function untilReady(spec: ComponentSpec, component: Component, stop: AbortSignal): Promise<void> {
  const deadline = performance.now() + readyWithinSeconds * 1000;
  const death: { reason?: string } = {};
  void component.ended.then((reason) => (death.reason = reason));
  while (death.reason === undefined) {
    stop.throwIfAborted();
    if (await spec.isReady()) return;
    if (performance.now() > deadline) {
      throw new Failure(`${spec.name} is not ready after ${readyWithinSeconds} s`, `Its log: ${spec.logFile}`);
    }
    await sleep(50);
  }
  throw new Failure(death.reason, `Its log: ${spec.logFile}`);
}
