import { deepEqual, equal, ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { packageRoot } from "../src/dev/paths.ts";
import {
  describedBucketMetrics,
  describedMetrics,
  describedSidecarMetrics,
  describedWebhookMetrics,
} from "./metrics-page.ts";
import { pages } from "./pages.ts";

for (const [path, text] of pages) {
  test(`${path} says what the program says; make generate renews it`, async () => {
    equal(await readFile(join(packageRoot, path), "utf8"), text());
  });
}

test("our own metrics carry our name, and none has a label that grows with the cluster", () => {
  const all = [describedMetrics, describedWebhookMetrics, describedBucketMetrics, describedSidecarMetrics];
  const ours = all.flatMap((described) => described()).filter(({ name }) => name.startsWith("portway_"));
  ok(ours.length >= 6);
  for (const { labels } of ours) ok(!labels.some((label) => ["namespace", "claim", "volume", "uid"].includes(label)));
});

test("what COSI's proposal names has that name, and is told by whoever knows it", () => {
  const namesOf = (all: ReturnType<typeof describedMetrics>) => all.map(({ name }) => name);
  deepEqual(namesOf(describedBucketMetrics()).slice(0, 2), ["cosi_operation_count", "cosi_operation_total_seconds"]);
  deepEqual(namesOf(describedSidecarMetrics()).slice(0, 2), [
    "cosi_sidecar_operation_duration_seconds",
    "cosi_sidecar_operation_errors_total",
  ]);
});
