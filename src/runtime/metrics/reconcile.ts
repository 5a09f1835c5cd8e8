import type { MetricsRegistry } from "./registry.ts";

/** How one turn of the loop ended, in controller-runtime's words. */
export type TurnResult = "success" | "error" | "requeue" | "requeue_after";

export interface ReconcileMetrics {
  turned(result: TurnResult, seconds: number): void;
  failed(): void;
  /** Workers that are busy now. */
  active(workers: number): void;
  /** Workers there are. */
  workers(count: number): void;
}

const buckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const results: readonly TurnResult[] = ["success", "error", "requeue", "requeue_after"];

/** What controller-runtime tells of a controller, under its names. */
export function reconcileMetrics(registry: MetricsRegistry, controller: string): ReconcileMetrics {
  const labels = ["controller"] as const;
  const mine = { controller };
  const turns = registry.counter({
    name: "controller_runtime_reconcile_total",
    help: "Turns of the loop, by how they ended.",
    labels: ["controller", "result"],
  });
  const errors = registry.counter({
    name: "controller_runtime_reconcile_errors_total",
    help: "Turns of the loop that failed.",
    labels,
  });
  const durations = registry.histogram({
    name: "controller_runtime_reconcile_time_seconds",
    help: "How long a turn of the loop takes.",
    labels,
    buckets,
  });
  const active = registry.gauge({
    name: "controller_runtime_active_workers",
    help: "Workers that are busy.",
    labels,
  });
  const most = registry.gauge({
    name: "controller_runtime_max_concurrent_reconciles",
    help: "Workers that there are.",
    labels,
  });
  // Told from the beginning: an alert on growth needs a first figure to grow from.
  for (const result of results) turns.add({ controller, result }, 0);
  errors.add(mine, 0);
  active.set(mine, 0);
  return {
    turned(result, seconds) {
      turns.add({ controller, result });
      durations.observe(mine, seconds);
    },
    failed: () => errors.add(mine),
    active: (workers) => active.set(mine, workers),
    workers: (count) => most.set(mine, count),
  };
}
