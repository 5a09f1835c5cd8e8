import { deepEqual, equal, match, ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { buildInfo, processMetrics } from "./build-info.ts";
import { electionMetrics } from "./election.ts";
import { eventMetrics } from "./events.ts";
import { reconcileMetrics } from "./reconcile.ts";
import { type MetricsRegistry, metricsRegistry } from "./registry.ts";
import { restClientMetrics } from "./rest-client.ts";
import { workqueueMetrics } from "./workqueue.ts";

/** The lines of one sample name, as they stand in the scrape. */
function linesOf(registry: MetricsRegistry, name: string): readonly string[] {
  const lines = registry.text().split("\n");
  return lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

test("answers of the API server are counted by code and timed by verb", () => {
  const registry = metricsRegistry();
  const { onAnswer } = restClientMetrics(registry, new URL("https://10.0.0.1:6443/prefix"));
  onAnswer({ method: "GET", status: 200, seconds: 0.02 });
  onAnswer({ method: "GET", status: 404, seconds: 3 });
  deepEqual(linesOf(registry, "rest_client_requests_total"), [
    'rest_client_requests_total{code="200",host="10.0.0.1:6443",method="GET"} 1',
    'rest_client_requests_total{code="404",host="10.0.0.1:6443",method="GET"} 1',
  ]);
  const buckets = linesOf(registry, "rest_client_request_duration_seconds_bucket");
  equal(buckets.length, 13);
  match(buckets.join("\n"), /\{host="10.0.0.1:6443",verb="GET",le="0.025"\} 1$/m);
});

test("several queues share the metrics of a process, each under its name", () => {
  const registry = metricsRegistry();
  const claims = workqueueMetrics(registry, "claims");
  workqueueMetrics(registry, "volumes").added();
  claims.added();
  claims.added();
  claims.depth(2);
  claims.retried();
  claims.started(0.5);
  claims.done(2);
  claims.unfinishedSeconds(() => 1.5);
  claims.longestRunningSeconds(() => 1.25);
  deepEqual(linesOf(registry, "workqueue_adds_total"), [
    'workqueue_adds_total{name="claims"} 2',
    'workqueue_adds_total{name="volumes"} 1',
  ]);
  for (const [name, value] of [
    ["workqueue_depth", 2],
    ["workqueue_retries_total", 1],
    ["workqueue_unfinished_work_seconds", 1.5],
    ["workqueue_longest_running_processor_seconds", 1.25],
    ["workqueue_queue_duration_seconds_sum", 0.5],
    ["workqueue_work_duration_seconds_sum", 2],
  ] as const) {
    equal(linesOf(registry, name)[0], `${name}{name="claims"} ${value}`);
  }
});

test("the bounds of a queue's buckets are upstream's to the letter, rounding included", () => {
  const registry = metricsRegistry();
  workqueueMetrics(registry, "q").started(0);
  const bounds = linesOf(registry, "workqueue_queue_duration_seconds_bucket").map(
    (line) => /le="([^"]+)"/.exec(line)?.[1],
  );
  deepEqual(bounds.slice(0, 6), ["1e-08", "1e-07", "1e-06", "9.999999999999999e-06", "9.999999999999999e-05", "0.001"]);
  equal(bounds.length, 13);
});

test("turns of the loop are counted by result, and every result is told from the beginning", () => {
  const registry = metricsRegistry();
  const loop = reconcileMetrics(registry, "transfer");
  loop.turned("success", 0.01);
  loop.failed();
  loop.active(3);
  loop.workers(8);
  const turns = linesOf(registry, "controller_runtime_reconcile_total");
  equal(turns.length, 4);
  ok(turns.includes('controller_runtime_reconcile_total{controller="transfer",result="success"} 1'));
  for (const [name, value] of [
    ["controller_runtime_reconcile_errors_total", 1],
    ["controller_runtime_active_workers", 3],
    ["controller_runtime_max_concurrent_reconciles", 8],
    ["controller_runtime_reconcile_time_seconds_count", 1],
  ] as const) {
    deepEqual(linesOf(registry, name), [`${name}{controller="transfer"} ${value}`]);
  }
});

test("the status of the election is what steps are told at that moment", () => {
  const registry = metricsRegistry();
  let holds = false;
  electionMetrics(registry, "portway-transfer", { holdsWithMargin: () => holds });
  deepEqual(linesOf(registry, "leader_election_master_status"), [
    'leader_election_master_status{name="portway-transfer"} 0',
  ]);
  holds = true;
  deepEqual(linesOf(registry, "leader_election_master_status"), [
    'leader_election_master_status{name="portway-transfer"} 1',
  ]);
});

test("events are counted by what became of them", () => {
  const registry = metricsRegistry();
  eventMetrics(registry).told("dropped");
  equal(linesOf(registry, "portway_events_total").length, 5);
  match(registry.text(), /portway_events_total\{outcome="dropped"\} 1/);
});

test("a process says which build it is and what it takes", () => {
  const registry = metricsRegistry();
  buildInfo(registry, { version: "0.1.0", commit: "abc" });
  processMetrics(registry);
  deepEqual(linesOf(registry, "portway_build_info"), ['portway_build_info{commit="abc",version="0.1.0"} 1']);
  const value = (name: string) => Number(linesOf(registry, name)[0]?.split(" ")[1]);
  ok(value("process_cpu_seconds_total") > 0);
  ok(value("process_resident_memory_bytes") > 1e6);
  ok(Math.abs(value("process_start_time_seconds") - Date.now() / 1000) < 3600);
  ok(value("nodejs_eventloop_lag_seconds") >= 0);
});

test("measuring the lag does not keep a process alive", () => {
  const program = `
    import { processMetrics } from "./src/runtime/metrics/build-info.ts";
    import { metricsRegistry } from "./src/runtime/metrics/registry.ts";
    processMetrics(metricsRegistry());`;
  const { status } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", program], {
    timeout: 60_000,
  });
  equal(status, 0);
});
