import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../../fixture/portway.ts";

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The process under test. It is started again after every kill, as its Deployment would do it. */
export interface Subject {
  start(): void;
  /** Kills the whole process group, sees it dead, and starts it again under the same identity. */
  killed(): Promise<void>;
  /** Asks it to end, as Kubernetes does, and kills it when it does not; answers the exit code, null when it was killed. */
  stopped(): Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** The end of what it said, for the report of a case that went wrong. */
  lastWords(): string;
  /** How often it ended although nobody wanted it to. */
  readonly crashes: number;
  /** The process groups of this subject, of all its lives, in which somebody is still alive. */
  left(): readonly number[];
}

const longestWords = 8000;
const longestEndMilliseconds = 90_000;
const longestBirthMilliseconds = 30_000;
const beforeNextLifeMilliseconds = 200;

export function subjectOf({ file, args, env = {} }: Program, died: () => void = () => undefined): Subject {
  const groups: number[] = [];
  let child: ChildProcess | undefined;
  let words = "";
  let crashes = 0;
  let firstWord: Promise<unknown> = Promise.resolve();
  let wanted: "alive" | "dead" = "dead";

  function start(): void {
    wanted = "alive";
    // A group of its own, so that nothing it may have started outlives it.
    const one = spawn(process.execPath, [file, ...args], {
      detached: true,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = one;
    groups.push(one.pid ?? 0);
    const hear = (text: string) => void (words = `${words}${text}`.slice(-longestWords));
    firstWord = once(one.stderr, "data");
    firstWord.catch(() => undefined);
    one.stdout.setEncoding("utf8").on("data", hear);
    one.stderr.setEncoding("utf8").on("data", hear);
    one.on("exit", (code, signal) => {
      died();
      hear(`\n--- ended: ${signal ?? `exit code ${code}`}\n`);
      if (wanted === "dead" || child !== one) return;
      crashes++;
      setTimeout(() => {
        if (wanted === "alive" && child === one) start();
      }, beforeNextLifeMilliseconds);
    });
  }

  const isOver = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

  function signal(name: NodeJS.Signals): void {
    if (child?.pid === undefined || isOver(child)) return;
    process.kill(-child.pid, name);
  }

  async function end(name: NodeJS.Signals): Promise<number | null> {
    wanted = "dead";
    const one = child;
    if (one === undefined || isOver(one)) return one?.exitCode ?? null;
    const gone = once(one, "exit");
    signal(name);
    const last = setTimeout(() => signal("SIGKILL"), longestEndMilliseconds);
    await gone;
    clearTimeout(last);
    return one.exitCode;
  }

  return {
    start,
    async killed() {
      await end("SIGKILL");
      start();
    },
    async stopped() {
      // One that is hardly born does not hear yet, and would just fall over.
      await Promise.race([firstWord, sleep(longestBirthMilliseconds, undefined, { ref: false })]);
      return await end("SIGTERM");
    },
    signal,
    lastWords: () => words,
    get crashes() {
      return crashes;
    },
    left: () => groups.filter((group) => isAlive(-group)),
  };
}
