import type { MetricsRegistry } from "../runtime/metrics/registry.ts";
import type { Decision } from "../runtime/table.ts";

/** What a platform team sees of transfers. No names and no namespaces: there may be thousands. */
export interface TransferMetrics {
  stepped(step: string, seconds: number): void;
  ended(startedAt: string | undefined, result: Result, now: Date, flow?: TransferFlow): void;
  /** Why this one waits; nothing when it does not. */
  waits(key: string, decision: Decision<string>): void;
  forget(key: string): void;
}

/** The door that it came through. */
const flows = ["request", "annotation"] as const;
export type TransferFlow = (typeof flows)[number];
const results = ["complete", "rolled-back", "orphaned", "failed"] as const;
export type Result = (typeof results)[number];

export function transferMetrics(registry: MetricsRegistry, inFlight: () => number): TransferMetrics {
  const total = registry.counter({
    name: "portway_transfers_total",
    help: "Transfers that have ended, by how.",
    labels: ["flow", "result"],
  });
  const durations = registry.histogram({
    name: "portway_transfer_duration_seconds",
    help: "From the lock of the volume to the end.",
    labels: ["flow"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 86_400],
  });
  const steps = registry.histogram({
    name: "portway_transfer_step_seconds",
    help: "How long a step of a transfer takes.",
    labels: ["step"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  });
  const waiting = registry.gauge({
    name: "portway_transfer_waiting",
    help: "Transfers that wait, by reason.",
    labels: ["reason"],
  });
  registry.gauge({ name: "portway_transfers_in_flight", help: "Volumes on their way.", labels: [] }).read({}, inFlight);
  for (const flow of flows) for (const result of results) total.add({ flow, result }, 0);
  const reasonOf = new Map<string, string>();

  function move(key: string, reason: string | undefined): void {
    const before = reasonOf.get(key);
    if (before === reason) return;
    if (before !== undefined) waiting.add({ reason: before }, -1);
    if (reason === undefined) reasonOf.delete(key);
    else reasonOf.set(key, reason);
    if (reason !== undefined) waiting.add({ reason }, 1);
  }

  return {
    stepped: (step, seconds) => steps.observe({ step }, seconds),
    ended(startedAt, result, now, flow = "request") {
      total.add({ flow, result });
      if (startedAt === undefined) return;
      durations.observe({ flow }, Math.max(0, (now.getTime() - Date.parse(startedAt)) / 1000));
    },
    waits(key, { plan }) {
      const isStuck = (plan.do === "wait" || plan.do === "refuse") && plan.why !== "Settled";
      move(key, isStuck ? plan.why : undefined);
    },
    forget: (key) => move(key, undefined),
  };
}
