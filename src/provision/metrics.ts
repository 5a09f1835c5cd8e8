import { type FinishedCall } from "../rpc/driver.ts";
import type { MetricsRegistry } from "../runtime/metrics/registry.ts";
import { codeInGo } from "./go-words.ts";
import type { Order } from "./order.ts";
import type { Seen } from "./seen.ts";
import { type DataSource } from "./source.ts";
import type { Volume } from "./watches.ts";

/** Under the names that dashboards know from external-provisioner. */
export interface ProvisionMetrics {
  provisioned(order: Order, seen: Seen): void;
  failed(seen: Seen): void;
  deleted(volume: Volume, seconds: number): void;
  deleteFailed(volume: Volume): void;
}

/** As Prometheus' own default. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const driverBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600];

export function provisionMetrics(registry: MetricsRegistry): ProvisionMetrics {
  const [claim, volume] = ["controller_persistentvolumeclaim_provision", "controller_persistentvolume_delete"];
  const ofClaim = { labels: ["class", "source"] } as const;
  const ofVolume = { labels: ["class"] } as const;
  const made = registry.counter({ ...ofClaim, name: `${claim}_total`, help: "Volumes made for claims." });
  const notMade = registry.counter({ ...ofClaim, name: `${claim}_failed_total`, help: "Tries that made no volume." });
  const making = registry.histogram({
    ...ofClaim,
    name: `${claim}_duration_seconds`,
    help: "From the first call to the driver to the volume.",
    buckets,
  });
  const gone = registry.counter({ ...ofVolume, name: `${volume}_total`, help: "Volumes deleted." });
  const notGone = registry.counter({
    ...ofVolume,
    name: `${volume}_failed_total`,
    help: "Tries that deleted nothing.",
  });
  const going = registry.histogram({
    ...ofVolume,
    name: `${volume}_duration_seconds`,
    help: "How long a deletion takes the driver.",
    buckets,
  });
  const classOf = ({ spec }: Volume) => ({ class: spec?.storageClassName ?? "" });
  return {
    provisioned({ className }, { source, intent, now }) {
      const labels = { class: className, source: sourceLabel(source) };
      made.add(labels);
      if (intent !== undefined) making.observe(labels, (now.getTime() - Date.parse(intent.since)) / 1000);
    },
    failed: ({ claim: of, intent, source }) =>
      notMade.add({
        class: of?.spec?.storageClassName ?? intent?.order.className ?? "",
        source: sourceLabel(source),
      }),
    deleted(of, seconds) {
      gone.add(classOf(of));
      going.observe(classOf(of), seconds);
    },
    deleteFailed: (of) => notGone.add(classOf(of)),
  };
}

function sourceLabel(source: DataSource | undefined): string {
  return source?.kind ?? "";
}

/** Of every call to the driver. */
export function driverMetrics(registry: MetricsRegistry, driver: () => string): (call: FinishedCall) => void {
  const operations = registry.histogram({
    name: "csi_sidecar_operations_seconds",
    help: "Calls to the driver, by method and how they ended.",
    labels: ["driver_name", "method_name", "grpc_status_code"],
    buckets: driverBuckets,
  });
  return ({ method, code, seconds }) =>
    operations.observe({ driver_name: driver(), method_name: method, grpc_status_code: codeInGo(code) }, seconds);
}
