import type { MetricsRegistry } from "../../runtime/metrics/registry.ts";
import type { Content } from "../content.ts";
import type { Step } from "./rules.ts";

const operations: Partial<Readonly<Record<Step, string>>> = {
  "create-bucket": "CreateBucket",
  "grant-access": "GrantBucketAccess",
  "revoke-access": "RevokeBucketAccess",
  "delete-bucket": "DeleteBucket",
};

/** By the names that COSI's own proposal gives them. */
export function sidecarMetrics(registry: MetricsRegistry, driver: string) {
  const seconds = registry.histogram({
    name: "cosi_sidecar_operation_duration_seconds",
    help: "How long a call to the driver takes.",
    labels: ["operation", "driver"],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  const errors = registry.counter({
    name: "cosi_sidecar_operation_errors_total",
    help: "Calls that the driver did not do, by its code.",
    labels: ["operation", "driver", "code"],
  });
  return (step: Step, took: number, code: string): void => {
    const operation = operations[step] ?? step;
    seconds.observe({ operation, driver }, took);
    if (code !== "OK") errors.add({ operation, driver, code });
  };
}

const states = ["Pending", "Granted"] as const;

/** Those that stay Pending are abandoned: nobody knows whether they are there, and only their contents' end takes them back. */
export function accountMetrics(registry: MetricsRegistry, contents: () => Iterable<Content>): void {
  const gauge = registry.gauge({
    name: "portway_bucket_accounts",
    help: "Accounts that the driver was asked for, by what is known of them.",
    labels: ["state"],
  });
  const all = () => [...contents()].flatMap(({ status }) => status?.accounts ?? []);
  for (const state of states) gauge.read({ state }, () => all().filter((account) => account.state === state).length);
}
