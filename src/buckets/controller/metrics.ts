import type { MetricsRegistry } from "../../runtime/metrics/registry.ts";
import type { Content } from "../content.ts";
import type { Step } from "./rules.ts";
import type { Seen } from "./seen.ts";
import type { Ordered } from "./watches.ts";

export interface BucketMetrics {
  /** A step was taken. */
  stepped(step: Step, seen: Seen): void;
}

const phases = ["Pending", "Bound", "Retrying", "Failed", "Releasing"] as const;
const operations = ["provision", "release"] as const;

/** By the names that COSI's own proposal gives them. No names and no namespaces: there may be thousands. */
export function bucketMetrics(registry: MetricsRegistry, all: () => Iterable<Ordered>): BucketMetrics {
  const count = registry.counter({
    name: "cosi_operation_count",
    help: "Buckets that were bound, and Buckets that were released.",
    labels: ["operation"],
  });
  const seconds = registry.histogram({
    name: "cosi_operation_total_seconds",
    help: "From the creation of a Bucket to its Secret, and from its deletion to its end.",
    labels: ["operation"],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  });
  const kept = registry.counter({
    name: "portway_buckets_kept_total",
    help: "Buckets that were made for a Bucket and are still in their store after its end.",
  });
  const gauge = registry.gauge({ name: "portway_buckets", help: "Buckets by phase.", labels: ["phase"] });
  for (const phase of phases)
    gauge.read({ phase }, () => [...all()].filter(({ status }) => (status?.phase ?? "Pending") === phase).length);
  for (const operation of operations) count.add({ operation }, 0);
  kept.add({}, 0);

  function ended(operation: (typeof operations)[number], since: string | undefined, now: Date): void {
    count.add({ operation });
    if (since !== undefined) seconds.observe({ operation }, Math.max(0, (now.getTime() - Date.parse(since)) / 1000));
  }

  return {
    stepped(step, { bucket, content, now, publishedAt }) {
      // One that is only looked at again was bound before.
      if (step === "publish-secret" && publishedAt === undefined)
        ended("provision", bucket?.metadata.creationTimestamp, now);
      if (step === "let-content-go" && content !== undefined && isKept(content)) kept.add({});
      if (step === "let-bucket-go") ended("release", bucket?.metadata.deletionTimestamp, now);
    },
  };
}

function isKept({ spec: { mode, releasePolicy, bucketIdentifier } }: Content): boolean {
  return mode === "Greenfield" && releasePolicy === "Retain" && bucketIdentifier !== undefined;
}
