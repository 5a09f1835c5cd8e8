import { Failure } from "../api/failure.ts";
import type { Lease } from "../api/gen/coordination.ts";
import type { Stored } from "../api/object.ts";
import { ApiError } from "../kube/errors.ts";
import { systemClock, type WaitingClock } from "./clock.ts";
import { type Durations, usualDurations } from "./election/record.ts";
import { type LeaseClient, type Renewal, termOf, type Usurped } from "./election/term.ts";
import type { Log } from "./log.ts";

export type { Durations } from "./election/record.ts";

export interface ElectionOptions {
  /** One of its own, without a rate: renewals must not wait behind the work they protect. */
  readonly client: LeaseClient;
  readonly namespace: string;
  readonly name: string;
  /** The same after a restart, and nobody else's: whoever finds itself in the Lease goes on at once. */
  readonly identity: string;
  readonly durations?: Durations;
  readonly labels?: Readonly<Record<string, string>>;
  readonly clock?: WaitingClock;
  readonly log: Log;
  /** The lease is lost, once and for all: the process must end now, without another write. */
  readonly onLost: (why: string) => void;
}

/** At most one process is at work. A lease alone cannot promise that: every write has preconditions besides. */
export interface Election {
  /** Resolves when the lease is ours; from then on it is renewed. */
  acquired(signal: AbortSignal): Promise<void>;
  /** Asked before every effect. It looks at the clock, so a process that was stopped for a while hears the truth first. */
  holdsWithMargin(): boolean;
  /** How often the lease had changed hands when it came into ours; undefined where there is none. */
  term(): number | undefined;
  /** Why this process should not be alive any more, for `/healthz`. */
  trouble(): string | undefined;
  /** Lets the next one take over at once. Never throws: the worst is that it waits for the term to end. */
  release(): Promise<void>;
}

type State =
  | { readonly is: "waiting" | "released" }
  | { readonly is: "held"; readonly lease: Stored<Lease>; readonly until: number }
  | { readonly is: "lost"; readonly why: string };

export function electOn(options: ElectionOptions): Election {
  const { name, identity, durations = usualDurations, clock = systemClock, onLost } = options;
  const log = options.log.with({ lease: `${options.namespace}/${name}`, identity });
  const term = termOf({ ...options, durations, clock });
  const ending = new AbortController();
  let state: State = { is: "waiting" };
  let keeping = Promise.resolve();

  const isInTime = () => state.is === "held" && clock.now() < state.until;
  const say = onChange((text) => log.info(text));
  const complain = onChange((text, problem) => log.error(text, problem));

  /** False when it took so long that the margin is used up already. */
  function hold({ lease, at }: Renewal): boolean {
    state = { is: "held", lease, until: at + durations.renewSeconds * 1000 };
    complain();
    return isInTime();
  }

  function lose(why: string): void {
    state = { is: "lost", why };
    log.error("the lease is lost", new Failure(why, "This process ends now; started again, it waits for its turn."));
    onLost(why);
  }

  /** Renews until it is released or lost. */
  async function keep(): Promise<void> {
    while (state.is === "held") {
      // Whatever the flags say, one slow answer must not be the last chance to renew.
      const often = Math.min(durations.retrySeconds, durations.renewSeconds / 4);
      const pause = Math.min(often * 1000, state.until - clock.now());
      await clock.sleep(pause, ending.signal).catch(() => undefined);
      if (ending.signal.aborted) return;
      const answer = isInTime() ? await renewed(state.lease, state.until - clock.now()) : undefined;
      if (answer !== undefined && "by" in answer) return lose(`it is held by ${answer.by}`);
      if (answer !== undefined) hold(answer);
      if (!isInTime()) return lose(`it could not be renewed for ${durations.renewSeconds} s`);
    }
  }

  /** Ends when the margin does, whatever the client does: somebody else may hold it from then on. */
  async function renewed(lease: Stored<Lease>, milliseconds: number): Promise<Renewal | Usurped | undefined> {
    const answered = new AbortController();
    const tooLate = clock.sleep(milliseconds, answered.signal).catch(() => undefined);
    try {
      return (await Promise.race([term.renew(lease, milliseconds / 1000), tooLate])) ?? undefined;
    } catch (problem) {
      complain("the lease could not be renewed; trying again", problem);
      return undefined;
    } finally {
      answered.abort();
    }
  }

  async function attempt(signal: AbortSignal): Promise<boolean> {
    try {
      const answer = await term.acquire(signal);
      if (!("by" in answer)) return hold(answer);
      say(`waiting: ${answer.by} holds the lease`);
    } catch (problem) {
      if (signal.aborted) throw signal.reason as Error;
      const wasFaster = problem instanceof ApiError && problem.code === 409;
      if (!wasFaster) complain("the lease cannot be acquired; trying again", problem);
    }
    return false;
  }

  return {
    async acquired(signal) {
      while (!(await attempt(signal))) {
        // Not all at the same moment, or the same one would lose every time.
        await clock.sleep(durations.retrySeconds * 1000 * (1 + Math.random() / 5), signal);
      }
      log.info("the lease is ours");
      keeping = keep();
      signal.throwIfAborted();
    },
    holdsWithMargin: () => !ending.signal.aborted && isInTime(),
    term: () => (state.is === "held" ? (state.lease.spec?.leaseTransitions ?? 0) : undefined),
    trouble: () => (state.is === "lost" ? `the lease is lost: ${state.why}` : undefined),
    async release() {
      // From here on nothing is done under it any more, and the last renewal under way comes to its end.
      ending.abort();
      await keeping;
      const last = state;
      if (last.is === "lost" || last.is === "released") return;
      state = { is: "released" };
      try {
        await term.release(last.is === "held" ? last.lease : undefined);
      } catch (problem) {
        log.error("the lease could not be given back; the next one waits until it is over", problem);
      }
    },
  };
}

/** For tests and for `--leader-election=false`. */
export function alwaysLeader(): Election {
  let isReleased = false;
  return {
    acquired: async (signal) => signal.throwIfAborted(),
    holdsWithMargin: () => !isReleased,
    term: () => undefined,
    trouble: () => undefined,
    release: async () => void (isReleased = true),
  };
}

/** Says the same thing once, until something else is said. */
function onChange(tell: (text: string, problem?: unknown) => void): (text?: string, problem?: unknown) => void {
  let last: string | undefined;
  return (text, problem) => {
    const said = text === undefined ? undefined : `${text} ${String(problem)}`;
    if (text !== undefined && said !== last) tell(text, problem);
    last = said;
  };
}
