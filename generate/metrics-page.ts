import { admissionMetrics } from "../src/admission/metrics.ts";
import { bucketMetrics } from "../src/buckets/controller/metrics.ts";
import { accountMetrics, sidecarMetrics } from "../src/buckets/sidecar/metrics.ts";
import { capacityMetrics } from "../src/provision/capacity/metrics.ts";
import { driverMetrics, provisionMetrics } from "../src/provision/metrics.ts";
import { buildInfo, processMetrics } from "../src/runtime/metrics/build-info.ts";
import { electionMetrics } from "../src/runtime/metrics/election.ts";
import { eventMetrics } from "../src/runtime/metrics/events.ts";
import { reconcileMetrics } from "../src/runtime/metrics/reconcile.ts";
import { type MetricsRegistry, metricsRegistry } from "../src/runtime/metrics/registry.ts";
import { restClientMetrics } from "../src/runtime/metrics/rest-client.ts";
import { workqueueMetrics } from "../src/runtime/metrics/workqueue.ts";
import { transferMetrics } from "../src/transfer/metrics.ts";

interface Described {
  readonly type: string;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Everything that `portway controller --domains=transfer` can ever tell. */
export function describedMetrics(): readonly Described[] {
  return described((registry) => {
    ofEveryProcess(registry);
    electionMetrics(registry, "portway-transfer", { holdsWithMargin: () => false });
    eventMetrics(registry);
    workqueueMetrics(registry, "transfer");
    reconcileMetrics(registry, "transfer");
    transferMetrics(registry, () => 0);
  });
}

/** The same of `portway csi-provisioner`, besides what every controller tells. */
export function describedProvisionerMetrics(): readonly Described[] {
  return described((registry) => {
    provisionMetrics(registry);
    driverMetrics(registry, () => "");
    capacityMetrics(registry, "", { all: () => new Map() }, { by: () => [], values: () => [].values() });
  });
}

/** The same of `portway controller --domains=buckets`, besides what every controller tells. */
export function describedBucketMetrics(): readonly Described[] {
  return described((registry) => void bucketMetrics(registry, () => []));
}

/** The same of `portway cosi-sidecar`. */
export function describedSidecarMetrics(): readonly Described[] {
  return described((registry) => {
    sidecarMetrics(registry, "");
    accountMetrics(registry, () => []);
  });
}

/** The same of `portway webhook`, besides what every process tells. */
export function describedWebhookMetrics(): readonly Described[] {
  return described((registry) => void admissionMetrics(registry, () => new Date(0)));
}

function ofEveryProcess(registry: MetricsRegistry): void {
  buildInfo(registry, { version: "", commit: "" });
  processMetrics(registry);
  restClientMetrics(registry, new URL("https://localhost"));
}

function described(declare: (registry: MetricsRegistry) => void): readonly Described[] {
  const found = new Map<string, Described>();
  declare(noting(metricsRegistry(), (one) => found.set(one.name, one)));
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function noting(registry: MetricsRegistry, note: (one: Described) => void): MetricsRegistry {
  return {
    counter(spec) {
      note({ type: "counter", labels: [], ...spec });
      return registry.counter(spec);
    },
    gauge(spec) {
      note({ type: "gauge", labels: [], ...spec });
      return registry.gauge(spec);
    },
    histogram(spec) {
      note({ type: "histogram", labels: [], ...spec });
      return registry.histogram(spec);
    },
    text: () => registry.text(),
  };
}

function tableOf(metrics: readonly Described[]): string {
  const rows = metrics.map(
    ({ name, type, labels, help }) => `| \`${name}\` | ${type} | ${labels.join(", ")} | ${help} |`,
  );
  return ["| name | type | labels | what |", "|---|---|---|---|", ...rows].join("\n");
}

export function metricsPage(): string {
  return `# Metrics

What \`portway controller\` serves at \`/metrics\` (\`--http-endpoint\`). Names and labels are kept from release to release. None
carries the name of a namespace or of an object: there may be thousands. Written by \`make generate\`.

${tableOf(describedMetrics())}

## \`portway webhook\`

What it serves besides the figures of its process and of its own requests to the API server.

${tableOf(describedWebhookMetrics())}

## \`portway csi-provisioner\`

What it serves besides the figures of every controller, under the names that external-provisioner has for them; the last ones with
\`--enable-capacity\` only. Its queues are \`claims\`, \`volumes\`, \`source-protection\` and \`csistoragecapacity\`.

${tableOf(describedProvisionerMetrics())}

## \`portway controller --domains=buckets\`

What it serves besides the figures of every controller, under the names of COSI's proposal where it has one. Its queue is \`buckets\`.

${tableOf(describedBucketMetrics())}

## \`portway cosi-sidecar\`

The same of a driver's sidecar. Its queues are \`contents\` and \`registration\`; \`code\` is the driver's own, or UNFIT for an answer
that cannot be used.

${tableOf(describedSidecarMetrics())}
`;
}
