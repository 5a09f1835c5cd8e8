import type { MetricsRegistry } from "./registry.ts";

export interface WorkqueueMetrics {
  added(): void;
  started(waitedSeconds: number): void;
  done(workedSeconds: number): void;
  retried(): void;
  depth(keys: number): void;
  /** Read at every scrape: the seconds that work under way has taken so far, all of it together. */
  unfinishedSeconds(read: () => number): void;
  /** Read at every scrape: the same of the one that has taken longest. */
  longestRunningSeconds(read: () => number): void;
}

/** Ten times as long from one to the next, multiplied like upstream does it, rounding and all. */
const buckets = powersOfTen(10e-9, 12);

/** What upstream's queues tell of themselves, under its names. */
export function workqueueMetrics(registry: MetricsRegistry, name: string): WorkqueueMetrics {
  const labels = ["name"] as const;
  const mine = { name };
  const depth = registry.gauge({ name: "workqueue_depth", help: "Keys that wait in the queue.", labels });
  const adds = registry.counter({ name: "workqueue_adds_total", help: "Keys put into the queue.", labels });
  const retries = registry.counter({
    name: "workqueue_retries_total",
    help: "Keys put back into the queue after a failure.",
    labels,
  });
  const waited = registry.histogram({
    name: "workqueue_queue_duration_seconds",
    help: "How long a key waits in the queue before it is worked on.",
    labels,
    buckets,
  });
  const worked = registry.histogram({
    name: "workqueue_work_duration_seconds",
    help: "How long the work on a key takes.",
    labels,
    buckets,
  });
  const unfinished = registry.gauge({
    name: "workqueue_unfinished_work_seconds",
    help: "How long the work under way has taken so far, added up. It grows without end when a worker is stuck.",
    labels,
  });
  const longest = registry.gauge({
    name: "workqueue_longest_running_processor_seconds",
    help: "How long the oldest work under way has taken so far.",
    labels,
  });
  depth.set(mine, 0);
  adds.add(mine, 0);
  retries.add(mine, 0);
  return {
    added: () => adds.add(mine),
    started: (seconds) => waited.observe(mine, seconds),
    done: (seconds) => worked.observe(mine, seconds),
    retried: () => retries.add(mine),
    depth: (keys) => depth.set(mine, keys),
    unfinishedSeconds: (read) => unfinished.read(mine, read),
    longestRunningSeconds: (read) => longest.read(mine, read),
  };
}

function powersOfTen(first: number, count: number): readonly number[] {
  const powers = [first];
  while (powers.length < count) powers.push((powers.at(-1) ?? first) * 10);
  return powers;
}
