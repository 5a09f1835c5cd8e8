import { systemClock, type WaitingClock } from "./clock.ts";
import type { Readiness } from "./health.ts";
import { stackOf } from "./log/problem.ts";
import type { Log } from "./log.ts";

/** One part of the way down. It should give up by itself when its signal says so; it is left behind anyway. */
export interface Stage {
  readonly name: string;
  readonly withinSeconds: number;
  readonly end: (signal: AbortSignal) => unknown;
}

/** What a process consists of, by how it is ended. What it does not have it leaves out. */
export interface Parts {
  stopWatches?(signal: AbortSignal): unknown;
  /** Takes no more work and finishes what was begun. */
  drainQueue?(signal: AbortSignal): unknown;
  finishCalls?(signal: AbortSignal): unknown;
  /** What is still to be told, events above all. */
  tellRest?(signal: AbortSignal): unknown;
  releaseLease?(signal: AbortSignal): unknown;
  closeClient?(signal: AbortSignal): unknown;
  /** Health last: whoever asks until then hears that we are alive and not ready. */
  closeHealth?(signal: AbortSignal): unknown;
}

/** The order is the point: nothing new is heard, what was begun is finished, and only then may somebody else begin. */
const order: readonly (readonly [part: keyof Parts, name: string, withinSeconds: number])[] = [
  ["stopWatches", "stop the watches", 5],
  ["drainQueue", "drain the queue", 30],
  ["finishCalls", "finish calls to drivers", 15],
  ["tellRest", "tell the last events", 3],
  ["releaseLease", "release the lease", 5],
  ["closeClient", "close the client", 3],
  ["closeHealth", "close the health endpoint", 2],
];

/** A pod needs a longer grace period than this. */
export const longestEndSeconds = order.reduce((sum, [, , seconds]) => sum + seconds, 0);

export function stagesOf(parts: Parts): readonly Stage[] {
  return order.flatMap(([part, name, withinSeconds]) => {
    const end = parts[part]?.bind(parts);
    return end === undefined ? [] : [{ name, withinSeconds, end }];
  });
}

export interface ProcessOptions {
  readonly log: Log;
  /** Aborted when somebody asks us to stop. A second request ends the process at once; that is not for us to do. */
  readonly stop: AbortSignal;
  readonly ready: Pick<Readiness, "set">;
  readonly parts: Parts;
  /** Rejects when a part can do no more and the process has to start anew. */
  readonly broken?: Promise<never>;
  readonly clock?: WaitingClock;
  readonly exit?: (code: number) => void;
}

/** Lives until it is asked to stop or something breaks, and ends in order. Answers the exit code. */
export async function runProcess(options: ProcessOptions): Promise<number> {
  const { log, stop, ready, parts, broken, clock = systemClock, exit = leave } = options;
  // Nothing else may be under way just now, and a process without anything under way ends by itself.
  const alive = setInterval(() => undefined, 60_000);
  const problem = await Promise.race([aborted(stop), ...(broken === undefined ? [] : [reasonOf(broken)])]);
  clearInterval(alive);
  if (problem === undefined) log.info("stopping");
  else log.error("stopping, because something broke", problem.reason);
  ready.set(false);
  let isClean = problem === undefined;
  for (const stage of stagesOf(parts)) isClean = (await ended(stage, log, clock)) && isClean;
  log.info("stopped", { clean: isClean });
  // What was given up may still hold on to something that keeps the process alive.
  if (!isClean) exit(1);
  return isClean ? 0 : 1;
}

async function ended({ name, withinSeconds, end }: Stage, log: Log, clock: WaitingClock): Promise<boolean> {
  const [began, late, done] = [clock.now(), new AbortController(), new AbortController()];
  const giveUp = clock.sleep(withinSeconds * 1000, done.signal).then(
    () => "given up" as const,
    () => undefined,
  );
  try {
    const how = await Promise.race([giveUp, (async () => void (await end(late.signal)))()]);
    const seconds = Math.round(clock.now() - began) / 1000;
    if (how === undefined) log.info(`${name}: done`, { seconds });
    else log.warn(`${name}: given up`, { seconds });
    return how === undefined;
  } catch (problem) {
    log.error(`${name}: failed`, problem);
    return false;
  } finally {
    late.abort(new Error(`${name} took longer than ${withinSeconds} s`));
    done.abort();
  }
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  signal.addEventListener("abort", () => resolve(undefined), { once: true });
  if (signal.aborted) resolve(undefined);
  return await promise;
}

async function reasonOf(broken: Promise<never>): Promise<{ readonly reason: unknown }> {
  try {
    return await broken;
  } catch (reason) {
    return { reason };
  }
}

function leave(code: number): void {
  process.exit(code);
}

/** What nobody caught is a bug: nothing is known of the state any more, and a crash is an ordinary wake-up. */
export function exitOnBug(log: Log, from: NodeJS.EventEmitter = process, exit: (code: number) => void = leave): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    from.on(event, (problem: unknown) => {
      log.error(`${event}: this process ends`, problem, { stack: stackOf(problem) });
      exit(1);
    });
  }
}
