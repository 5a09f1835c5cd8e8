import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { aContent, begun, granted } from "../../../test/fixture/bucket-seen.ts";
import { metricsRegistry } from "../../runtime/metrics/registry.ts";
import { accountMetrics, sidecarMetrics } from "./metrics.ts";

const lines = (text: string, name: string) => text.split("\n").filter((line) => line.startsWith(`${name}{`));

test("calls are timed by what was called, and those that failed are counted by their code", () => {
  const registry = metricsRegistry();
  const called = sidecarMetrics(registry, "s3.example.com");
  called("create-bucket", 0.2, "OK");
  called("create-bucket", 0.2, "UNAVAILABLE");
  called("grant-access", 0.2, "UNFIT");
  const text = registry.text();
  deepEqual(lines(text, "cosi_sidecar_operation_duration_seconds_count"), [
    'cosi_sidecar_operation_duration_seconds_count{driver="s3.example.com",operation="CreateBucket"} 2',
    'cosi_sidecar_operation_duration_seconds_count{driver="s3.example.com",operation="GrantBucketAccess"} 1',
  ]);
  deepEqual(lines(text, "cosi_sidecar_operation_errors_total"), [
    'cosi_sidecar_operation_errors_total{code="UNAVAILABLE",driver="s3.example.com",operation="CreateBucket"} 1',
    'cosi_sidecar_operation_errors_total{code="UNFIT",driver="s3.example.com",operation="GrantBucketAccess"} 1',
  ]);
});

test("accounts that nobody knows the end of are seen", () => {
  const registry = metricsRegistry();
  accountMetrics(registry, () => [
    aContent(),
    aContent({ status: begun }),
    aContent({ status: granted }),
    aContent({ status: begun }),
  ]);
  deepEqual(lines(registry.text(), "portway_bucket_accounts"), [
    'portway_bucket_accounts{state="Granted"} 1',
    'portway_bucket_accounts{state="Pending"} 2',
  ]);
});
