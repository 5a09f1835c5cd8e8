import type { MetricsRegistry } from "../runtime/metrics/registry.ts";

export interface AdmissionMetrics {
  answered(status: number, seconds: number): void;
}

const webhook = "give-and-accept";

/** Under the names that programs on controller-runtime have, so that their dashboards work; the last one is ours. */
export function admissionMetrics(registry: MetricsRegistry, expiry: () => Date): AdmissionMetrics {
  const requests = registry.counter({
    name: "controller_runtime_webhook_requests_total",
    help: "Questions of the API server, by status code.",
    labels: ["webhook", "code"],
  });
  const latency = registry.histogram({
    name: "controller_runtime_webhook_latency_seconds",
    help: "Time until a question of the API server was answered.",
    labels: ["webhook"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });
  const end = registry.gauge({
    name: "portway_webhook_certificate_expiry_timestamp_seconds",
    help: "When the certificate that is served ends; 0 while there is none.",
  });
  end.read({}, () => expiry().getTime() / 1000);
  requests.add({ webhook, code: "200" }, 0);
  return {
    answered(status, seconds) {
      requests.add({ webhook, code: String(status) });
      latency.observe({ webhook }, seconds);
    },
  };
}
