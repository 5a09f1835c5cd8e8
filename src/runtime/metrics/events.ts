import type { MetricsRegistry } from "./registry.ts";

/** What became of an event that somebody wanted to tell. */
export type EventOutcome = "created" | "updated" | "filtered" | "dropped" | "failed";

export interface EventMetrics {
  told(outcome: EventOutcome): void;
}

const outcomes: readonly EventOutcome[] = ["created", "updated", "filtered", "dropped", "failed"];

export function eventMetrics(registry: MetricsRegistry): EventMetrics {
  const events = registry.counter({
    name: "portway_events_total",
    help: "Kubernetes events: created, updated (told again), filtered (too many about one object), dropped (queue full), failed.",
    labels: ["outcome"],
  });
  for (const outcome of outcomes) events.add({ outcome }, 0);
  return { told: (outcome) => events.add({ outcome }) };
}
