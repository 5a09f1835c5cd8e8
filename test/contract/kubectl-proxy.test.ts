import { deepEqual, equal } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { configMaps } from "../../src/api/gen/core.ts";
import { reflect } from "../../src/kube/cache/reflector.ts";
import type { Kept } from "../../src/kube/cache/store.ts";
import { adminClient, clientOf, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

test("through kubectl proxy, over plain HTTP/1.1, everything works: writes, preconditions, lists, watches", async (t) => {
  const namespace = await newNamespace(t, admin);

  const proxy = spawn(join(cluster.directory, "bin", "kubectl"), ["proxy", "--port=0"], {
    env: { ...process.env, KUBECONFIG: cluster.kubeconfigOf("admin") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => proxy.kill());
  const [greeting] = (await once(proxy.stdout, "data")) as [Buffer];
  const address = /127\.0\.0\.1:\d+/.exec(greeting.toString())?.[0];
  const kubeconfig = join(cluster.directory, `proxy-${namespace}.json`);
  const config = {
    "current-context": "p",
    contexts: [{ name: "p", context: { cluster: "p" } }],
    clusters: [{ name: "p", cluster: { server: `http://${address}` } }],
  };
  await writeFile(kubeconfig, JSON.stringify(config));

  const client = await clientOf(kubeconfig);
  t.after(() => client.close());
  const deleted: string[] = [];
  const project = ({ metadata }: Kept): Kept => ({ metadata });
  const reflector = reflect({
    client,
    resource: configMaps,
    where: { namespace },
    project,
    onTrouble: () => undefined,
  });
  t.after(() => reflector.stop());
  reflector.cache.onChange((before, now) => now === undefined && deleted.push(before?.metadata.name ?? ""));
  await reflector.untilSynced();

  const made = await client.create(configMaps, { metadata: { namespace, name: "a" }, data: { k: "v" } });
  await reflector.cache.reached(made.metadata.resourceVersion, AbortSignal.timeout(30_000));
  const wrong = client.delete(configMaps, { namespace, name: "a", uid: "another" });
  equal(await wrong.catch((problem: { code: number }) => problem.code), 409, "the precondition arrived");
  await client.delete(configMaps, { namespace, name: "a", uid: made.metadata.uid });
  const marker = await client.create(configMaps, { metadata: { namespace, name: "b" } });
  await reflector.cache.reached(marker.metadata.resourceVersion, AbortSignal.timeout(30_000));
  deepEqual(deleted, ["a"]);
});
