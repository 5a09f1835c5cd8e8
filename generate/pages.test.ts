import { equal, ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { packageRoot } from "../src/dev/paths.ts";
import { describedMetrics, describedWebhookMetrics } from "./metrics-page.ts";
import { pages } from "./pages.ts";

for (const [path, text] of pages) {
  test(`${path} says what the program says; make generate renews it`, async () => {
    equal(await readFile(join(packageRoot, path), "utf8"), text());
  });
}

test("our own metrics carry our name, and none has a label that grows with the cluster", () => {
  const ours = [...describedMetrics(), ...describedWebhookMetrics()].filter(({ name }) => name.startsWith("portway_"));
  ok(ours.length >= 6);
  for (const { labels } of ours) ok(!labels.some((label) => ["namespace", "claim", "volume", "uid"].includes(label)));
});
