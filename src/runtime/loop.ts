import { isTroubled, type Trouble, type Troubled, troubleOf } from "../api/trouble.ts";
import type { Clock } from "./clock.ts";
import type { Hand } from "./hand.ts";
import type { Log } from "./log.ts";
import { type BackoffSettings, backoffAfter } from "./queue/backoff.ts";
import { type Queue, type QueueWatcher, queueOf } from "./queue/queue.ts";
import { answers, type Reconciler } from "./reconciler.ts";
import { sayOnce } from "./say-once.ts";
import { type Memory, type Outcome, takeTurn } from "./turn.ts";

export interface LoopWatcher {
  readonly queue: QueueWatcher;
  /** success, error, requeue or requeue_after, as controller-runtime counts them. */
  turned(result: "success" | "error" | "requeue" | "requeue_after", seconds: number): void;
  retried(): void;
  stepped(step: string, seconds: number): void;
}

export interface LoopOptions<Seen, Step extends string> {
  readonly reconciler: Reconciler<Seen, Step>;
  readonly workers: number;
  readonly hand: (signal: AbortSignal) => Hand;
  readonly clock: Clock;
  readonly log: Log;
  readonly watcher?: LoopWatcher;
  /** A turn that takes longer lends its worker to others; its requests are given up. */
  readonly longestTurnSeconds?: number;
  /** Instead of the pace of each trouble, but for conflicts: those are looked at again at once. */
  readonly backoff?: BackoffSettings;
}

/** Whatever it was waiting for may still come: it is looked at again. It is said when it happens, and not once more. */
class TurnTooLong extends Error implements Troubled {
  override readonly name = "TurnTooLong";
  readonly trouble: Trouble = "in-doubt";

  constructor(seconds: number) {
    super(`the turn takes longer than ${seconds} s`);
  }
}

export interface Loop {
  readonly queue: Pick<Queue, "add" | "addAfter" | "depth" | "running" | "runningSeconds">;
  /** Finishes what has begun and begins nothing new. */
  drained(): Promise<void>;
}

/** The one loop: whatever can go wrong with a key ends here, and the key is looked at again. */
export function loopOf<Seen, Step extends string>(options: LoopOptions<Seen, Step>): Loop {
  const { reconciler, clock, watcher, longestTurnSeconds = 120, backoff } = options;
  const log = options.log.with({ controller: reconciler.name });
  const once = sayOnce(log);
  const memories = new Map<string, Memory>();
  const failures = new Map<string, number>();
  let isEnding = false;
  const queue = queueOf({
    workers: options.workers,
    work,
    now: () => clock.now(),
    ...(watcher === undefined ? {} : { watcher: watcher.queue }),
  });

  async function work(key: string): Promise<void> {
    const start = clock.now();
    const late = new AbortController();
    const timer = setTimeout(() => {
      const why = new TurnTooLong(longestTurnSeconds);
      once(`${key}: its worker goes on with others`, why);
      late.abort(why);
      queue.lend(key);
    }, longestTurnSeconds * 1000);
    try {
      const result = settle(key, await turn(key, late.signal));
      watcher?.turned(result, (clock.now() - start) / 1000);
    } catch (problem) {
      retry(key, problem);
      watcher?.turned("error", (clock.now() - start) / 1000);
    } finally {
      clearTimeout(timer);
    }
  }

  async function turn(key: string, signal: AbortSignal): Promise<Outcome> {
    const memory = memories.get(key) ?? { reply: undefined, waiting: undefined };
    memories.set(key, memory);
    return await takeTurn(key, memory, {
      reconciler,
      clock,
      log: log.with({ key }),
      hand: () => options.hand(signal),
      mayGoOn: () => !isEnding,
      onStep(step, seconds) {
        watcher?.stepped(step, seconds);
      },
    });
  }

  function settle(key: string, outcome: Outcome): "success" | "requeue" | "requeue_after" {
    failures.delete(key);
    if (outcome.is === "tired") {
      queue.add(key);
      return "requeue";
    }
    // A key at rest has nothing to remember; thousands of them would add up.
    if (outcome.is === "gone" || outcome.plan.do === "rest") memories.delete(key);
    if (outcome.is === "gone" || outcome.againMilliseconds === undefined) return "success";
    queue.addAfter(key, outcome.againMilliseconds);
    return "requeue_after";
  }

  function retry(key: string, problem: unknown): void {
    const trouble = troubleOf(problem);
    const answer = answers[trouble];
    const pace = trouble === "conflict" ? answer : (backoff ?? answer);
    const count = (failures.get(key) ?? 0) + 1;
    failures.set(key, count);
    const asked = isTroubled(problem) ? (problem.retryAfterSeconds ?? 0) * 1000 : 0;
    queue.addAfter(key, Math.max(asked, backoffAfter(count, pace)));
    watcher?.retried();
    if (answer.silent || problem instanceof TurnTooLong) log.debug(4, "looks again", { key, err: String(problem) });
    else once(`${key} is tried again`, problem);
  }

  return {
    queue,
    async drained() {
      isEnding = true;
      await queue.drained();
    },
  };
}
