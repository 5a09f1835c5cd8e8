import { compatibilityPage } from "../test/provision/compare/page.ts";
import { metricsPage } from "./metrics-page.ts";
import { bucketRulesPage, provisionRulesPage, transferRulesPage } from "./rules-page.ts";

/** Pages that say what the program itself says; a test fails when one of them is stale. */
export const pages: ReadonlyMap<string, () => string> = new Map([
  ["docs/compat-external-provisioner.md", compatibilityPage],
  ["docs/generated/transfer-rules.md", transferRulesPage],
  ["docs/generated/provision-rules.md", provisionRulesPage],
  ["docs/generated/bucket-rules.md", bucketRulesPage],
  ["docs/metrics.md", metricsPage],
]);
