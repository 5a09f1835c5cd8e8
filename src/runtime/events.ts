import { hostname } from "node:os";
import { events } from "../api/gen/core.ts";
import type { Client } from "../kube/client.ts";
import { ApiError } from "../kube/errors.ts";
import { systemClock, type WaitingClock } from "./clock.ts";
import { correlator, type Known, type Telling } from "./events/correlate.ts";
import { eventName, eventOf, namespaceOf, toldAgain } from "./events/event.ts";
import type { Log } from "./log.ts";
import type { EventMetrics } from "./metrics/events.ts";

export type { About, Telling } from "./events/correlate.ts";

export interface EventsOptions {
  /** Vendors' roles let us create and patch Events. */
  readonly client: Pick<Client, "create" | "merge">;
  readonly component: string;
  readonly log: Log;
  readonly clock?: WaitingClock;
  readonly metrics?: EventMetrics;
}

/** Tells people what happens to their objects, when it can: no step ever waits for it or fails because of it. */
export interface Events {
  tell(telling: Telling): void;
  /** Resolves when everything told so far is written or given up. */
  drained(): Promise<void>;
}

const mostWaiting = 1000;
const mostTries = 3;
const pauseMilliseconds = 1000;
const timeoutSeconds = 10;
const forbidden = "403";

interface Job {
  readonly telling: Telling;
  readonly known: Known;
}

export function eventsTo(options: EventsOptions): Events {
  const { client, component, log, clock = systemClock, metrics } = options;
  const source = { component, host: hostname() };
  const correlated = correlator(clock, eventName);
  const waiting = new Map<Known, Job>();
  const complained = new Set<string>();
  let working: Promise<void> | undefined;

  /** Once for each kind of trouble. */
  function complain(kind: string, say: () => void): void {
    if (complained.has(kind)) return;
    complained.add(kind);
    say();
  }

  /** Rights differ from namespace to namespace, so a success elsewhere says nothing about them. */
  function worksAgain(): void {
    for (const kind of complained) if (kind !== forbidden) complained.delete(kind);
  }

  async function write({ telling, known }: Job): Promise<"created" | "updated"> {
    const namespace = namespaceOf(telling.about);
    if (known.isStored) {
      try {
        await client.merge(events, { namespace, name: known.name }, toldAgain(known), { timeoutSeconds });
        return "updated";
      } catch (problem) {
        // Events do not live long: it has expired, and is written anew.
        if (!(problem instanceof ApiError && problem.isNotFound)) throw problem;
      }
    }
    try {
      await client.create(events, eventOf(telling, known, source), { timeoutSeconds });
    } catch (problem) {
      // Ours from a try that was not answered: nobody else knows the name.
      if (!(problem instanceof ApiError && problem.reason === "AlreadyExists")) throw problem;
    }
    known.isStored = true;
    return "created";
  }

  async function tried(job: Job): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const outcome = await write(job);
        metrics?.told(outcome);
        worksAgain();
        return;
      } catch (problem) {
        if (tries >= mostTries || !mayWorkLater(problem)) return giveUp(job, problem);
        await clock.sleep(pauseMilliseconds * tries);
      }
    }
  }

  function giveUp({ telling: { about, reason } }: Job, problem: unknown): void {
    metrics?.told("failed");
    // Nobody reads what is said about a namespace that goes away.
    if (problem instanceof ApiError && problem.isNamespaceTerminating) return;
    const kind = problem instanceof ApiError ? String(problem.code) : "bug";
    complain(kind, () =>
      log.error("an event could not be written; more of the same are only counted", problem, {
        about: about.kind,
        reason,
      }),
    );
  }

  async function work(): Promise<void> {
    for (const [known, job] of waiting) {
      waiting.delete(known);
      await tried(job);
    }
    working = undefined;
  }

  function queue(telling: Telling): void {
    const known = correlated.correlate(telling);
    if (known === undefined) return metrics?.told("filtered");
    // It waits already, and its count is read when it is written.
    if (waiting.has(known)) return;
    if (waiting.size >= mostWaiting) {
      metrics?.told("dropped");
      return complain("queue", () => log.warn("too many events wait to be written; more are dropped"));
    }
    waiting.set(known, { telling, known });
    working ??= work();
  }

  return {
    tell(telling) {
      try {
        queue(telling);
      } catch (problem) {
        complain("bug", () => log.error("an event could not be told", problem));
      }
    },
    async drained() {
      await working;
    },
  };
}

function mayWorkLater(problem: unknown): boolean {
  return problem instanceof ApiError && (problem.trouble === "transient" || problem.trouble === "in-doubt");
}
