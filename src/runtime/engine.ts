import { defined } from "../api/defined.ts";
import { apiVersionOf } from "../api/object.ts";
import type { Cache, Kept } from "../kube/cache/store.ts";
import type { Client } from "../kube/client.ts";
import type { Rate } from "../kube/transport/rate-limit.ts";
import type { Clock } from "./clock.ts";
import type { Election } from "./election.ts";
import type { Events } from "./events.ts";
import { handOf } from "./hand.ts";
import type { Log } from "./log.ts";
import { type Loop, type LoopWatcher, loopOf } from "./loop.ts";
import { reconcileMetrics } from "./metrics/reconcile.ts";
import type { MetricsRegistry } from "./metrics/registry.ts";
import { workqueueMetrics } from "./metrics/workqueue.ts";
import type { BackoffSettings } from "./queue/backoff.ts";
import type { Reconciler } from "./reconciler.ts";
import type { Note } from "./report.ts";
import { sayOnce } from "./say-once.ts";
import type { Sources } from "./sources.ts";

/** What every controller of a process shares. */
export interface Engine {
  readonly client: Client;
  /** Another one, for work that must not hold up the rest: it has a rate of its own, and is closed with the process. */
  clientWith(rate: Rate): Client;
  /** The process's own. */
  readonly namespace: string;
  readonly sources: Sources;
  readonly election: Pick<Election, "holdsWithMargin" | "term">;
  readonly events: Pick<Events, "tell">;
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly log: Log;
  readonly workers: number;
}

/** Which keys a change of some kind makes worth a look. */
export interface Trigger {
  /** Tells now of everything that is there, and from then on of every change. */
  attach(look: (key: string) => void, complain: (problem: unknown) => void): void;
}

export function trigger<V extends Kept>(cache: Cache<V>, keysOf: (object: V) => readonly string[]): Trigger {
  return {
    attach(look, complain) {
      /** One object that nobody can make sense of must not keep all others from being looked at. */
      const keysIn = (object: V | undefined): readonly string[] => {
        try {
          return object === undefined ? [] : keysOf(object);
        } catch (problem) {
          complain(problem);
          return [];
        }
      };
      for (const object of cache.values()) for (const key of keysIn(object)) look(key);
      cache.onChange((before, after) => {
        const [was, is] = [keysIn(before), keysIn(after)];
        for (const key of was) look(key);
        for (const key of is) if (!was.includes(key)) look(key);
      });
    },
  };
}

export interface ControllerSpec<Seen, Step extends string> {
  readonly reconciler: Reconciler<Seen, Step>;
  readonly triggers: readonly Trigger[];
  readonly onStep?: (step: Step, seconds: number) => void;
  readonly longestTurnSeconds?: number;
  /** How long to leave a key alone that failed, where others than the loop decide it. */
  readonly backoff?: BackoffSettings;
}

/** A loop that is ready to start: nothing is looked at before the caches are whole and the lease is ours. */
export interface Controller {
  readonly loop: Loop;
  start(): void;
}

export function controllerOn<Seen, Step extends string>(
  engine: Engine,
  { reconciler, triggers, onStep, longestTurnSeconds, backoff }: ControllerSpec<Seen, Step>,
): Controller {
  const { client, sources, election, clock, log, workers } = engine;
  const holdsLease = () => election.holdsWithMargin();
  const tell = (note: Note) => tellNote(engine.events, note);
  const loop: Loop = loopOf({
    reconciler,
    workers,
    clock,
    log,
    ...defined({ longestTurnSeconds, backoff }),
    hand: (signal) => handOf({ client, sources, holdsLease, signal, tell }),
    watcher: watcherOf(
      engine,
      reconciler.name,
      () => loop,
      onStep as ((step: string, seconds: number) => void) | undefined,
    ),
  });
  const once = sayOnce(log);
  const complain = (problem: unknown) => once(`${reconciler.name} cannot tell whom a change concerns`, problem);
  return {
    loop,
    start() {
      for (const one of triggers) one.attach((key) => loop.queue.add(key), complain);
    },
  };
}

function watcherOf(
  { registry, workers }: Engine,
  name: string,
  loop: () => Loop,
  onStep: ((step: string, seconds: number) => void) | undefined,
): LoopWatcher {
  const queue = workqueueMetrics(registry, name);
  const turns = reconcileMetrics(registry, name);
  turns.workers(workers);
  const running = () => loop().queue.runningSeconds();
  queue.unfinishedSeconds(() => running().reduce((sum, seconds) => sum + seconds, 0));
  queue.longestRunningSeconds(() => Math.max(0, ...running()));
  return {
    queue,
    retried: () => queue.retried(),
    stepped: (step, seconds) => onStep?.(step, seconds),
    turned(result, seconds) {
      turns.turned(result, seconds);
      turns.active(loop().queue.running);
      if (result === "error") turns.failed();
    },
  };
}

function tellNote(events: Pick<Events, "tell">, { resource, object, ...words }: Note): void {
  const { namespace, name, uid } = object.metadata;
  const about = { apiVersion: apiVersionOf(resource), kind: resource.kind, name, uid };
  events.tell({ ...words, about: namespace === undefined ? about : { ...about, namespace } });
}
