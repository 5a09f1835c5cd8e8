import type { ClientSettings } from "../../kube/open-client.ts";
import type { MetricsRegistry } from "./registry.ts";

/** Counts what the API server answers, under client-go's names, so that its dashboards work. */
export function restClientMetrics(
  registry: MetricsRegistry,
  server: Pick<URL, "host">,
): Required<Pick<ClientSettings, "onAnswer">> {
  const { host } = server;
  const requests = registry.counter({
    name: "rest_client_requests_total",
    help: "Requests that the API server answered, by status code, method and host.",
    labels: ["code", "method", "host"],
  });
  const durations = registry.histogram({
    name: "rest_client_request_duration_seconds",
    help: "Time until the API server answered, by verb and host.",
    labels: ["verb", "host"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  });
  return {
    onAnswer({ method, status, seconds }) {
      requests.add({ code: String(status), method, host });
      durations.observe({ verb: method, host }, seconds);
    },
  };
}
