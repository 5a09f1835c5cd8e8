import { monitorEventLoopDelay } from "node:perf_hooks";
import type { MetricsRegistry } from "./registry.ts";

export interface Build {
  readonly version: string;
  readonly commit: string;
}

export function buildInfo(registry: MetricsRegistry, { version, commit }: Build): void {
  const info = registry.gauge({
    name: "portway_build_info",
    help: "Always 1; which build runs is in the labels.",
    labels: ["version", "commit"],
  });
  info.set({ version, commit }, 1);
}

const lagEveryMilliseconds = 20;

/** What Prometheus wants to know of every process, under its usual names. */
export function processMetrics(registry: MetricsRegistry): void {
  const cpu = registry.counter({
    name: "process_cpu_seconds_total",
    help: "Seconds of processor time used, in user and system mode.",
  });
  cpu.read({}, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const memory = registry.gauge({ name: "process_resident_memory_bytes", help: "Memory the process occupies." });
  memory.read({}, () => process.memoryUsage.rss());
  const start = registry.gauge({
    name: "process_start_time_seconds",
    help: "When the process started, in seconds since 1970.",
  });
  // Reckoned once: the date may jump later, and a process starts only once.
  start.set({}, Date.now() / 1000 - process.uptime());
  lag(registry);
}

/** All work is done on one thread: a late timer says that everything was late. */
function lag(registry: MetricsRegistry): void {
  const delays = monitorEventLoopDelay({ resolution: lagEveryMilliseconds });
  delays.enable();
  const p99 = registry.gauge({
    name: "nodejs_eventloop_lag_seconds",
    help: "How late timers fired since the last scrape, 99th percentile.",
  });
  p99.read({}, () => {
    const late = delays.count === 0 ? 0 : delays.percentile(99) / 1e9 - lagEveryMilliseconds / 1000;
    delays.reset();
    return Math.max(0, late);
  });
}
