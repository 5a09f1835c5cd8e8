import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { aBucket, aBucketSeen, aContent, leaving, made, now, secondsAgo } from "../../../test/fixture/bucket-seen.ts";
import { metricsRegistry } from "../../runtime/metrics/registry.ts";
import { bucketMetrics } from "./metrics.ts";

function world(all: readonly ReturnType<typeof aBucket>[] = []) {
  const registry = metricsRegistry();
  const metrics = bucketMetrics(registry, () => all);
  const valueOf = (sample: string) =>
    registry
      .text()
      .split("\n")
      .find((line) => line.startsWith(`${sample} `))
      ?.split(" ")[1];
  return { metrics, valueOf };
}

test("what is bound and released is counted from 0, and timed from its beginning", () => {
  const { metrics, valueOf } = world();
  const counted = () => ["provision", "release"].map((word) => valueOf(`cosi_operation_count{operation="${word}"}`));
  deepEqual(counted(), ["0", "0"]);
  metrics.stepped("hold-bucket", aBucketSeen());
  metrics.stepped("publish-secret", aBucketSeen({ now: new Date(now.getTime() + 2500) }));
  deepEqual(counted(), ["1", "0"]);
  deepEqual(valueOf('cosi_operation_total_seconds_sum{operation="provision"}'), "2.5");
  metrics.stepped("let-bucket-go", aBucketSeen({ bucket: aBucket({ metadata: leaving }) }));
  deepEqual(counted(), ["1", "1"]);
});

test("a Secret that is only looked at again is no new one", () => {
  const { metrics, valueOf } = world();
  metrics.stepped("publish-secret", aBucketSeen({ publishedAt: secondsAgo(600) }));
  deepEqual(valueOf('cosi_operation_count{operation="provision"}'), "0");
});

test("buckets that are kept are counted, and those that were there before are not", () => {
  const { metrics, valueOf } = world();
  for (const mode of ["Greenfield", "Retained", "Brownfield"] as const)
    metrics.stepped("let-content-go", aBucketSeen({ content: aContent({ mode, spec: made }) }));
  deepEqual(valueOf("portway_buckets_kept_total"), "1");
});

test("Buckets are there by phase, and a new one is Pending", () => {
  const { valueOf } = world([
    aBucket(),
    aBucket({ status: { phase: "Bound" } }),
    aBucket({ status: { phase: "Failed" } }),
  ]);
  const phases = ["Pending", "Bound", "Retrying", "Failed", "Releasing"];
  deepEqual(
    phases.map((phase) => valueOf(`portway_buckets{phase="${phase}"}`)),
    ["1", "1", "0", "1", "0"],
  );
});
