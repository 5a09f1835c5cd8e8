import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { configMaps } from "../../src/api/gen/core.ts";
import { adminClient, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

test("a list of 1,200 comes in pages of one moment, whatever is written between them", async (t) => {
  const namespace = await newNamespace(t, admin);
  const names = Array.from({ length: 1200 }, (_, i) => `note-${String(i).padStart(4, "0")}`);
  await Promise.all(names.map((name) => admin.create(configMaps, { metadata: { namespace, name } })));
  const sizes: number[] = [];
  const versions = new Set<string>();
  const seen: string[] = [];
  for await (const page of admin.pages(configMaps, { namespace }, { pageSize: 500 })) {
    sizes.push(page.items.length);
    versions.add(page.resourceVersion);
    seen.push(...page.items.map(({ metadata }) => metadata.name));
    await admin.create(configMaps, { metadata: { namespace, name: `note-after-${sizes.length}` } });
  }
  const ours = seen.filter((name) => name !== "kube-root-ca.crt");
  deepEqual(ours, names, "each once, in the order of their names");
  equal(sizes.length, 3);
  equal(versions.size, 1, "pages of different moments");
});
