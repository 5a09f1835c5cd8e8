import { deepEqual, equal, ok } from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "../../src/api/object.ts";
import type { Cluster } from "../../src/dev/cluster/cluster.ts";
import { type Reflector, reflect } from "../../src/kube/cache/reflector.ts";
import { type Kept, keyOf } from "../../src/kube/cache/store.ts";
import type { Client } from "../../src/kube/client.ts";
import { clientOf } from "../fixture/client.ts";
import { ownCluster } from "../fixture/dev-cluster.ts";
import { writeKubeconfigThrough } from "../fixture/kubeconfig-through.ts";
import { until } from "../fixture/portway.ts";
import { type TcpProxy, tcpProxyTo } from "../fixture/tcp-proxy.ts";
import { createNotes, freshList, notes, stir, where } from "./world.ts";

const namespaces = Array.from({ length: 4 }, (_, i) => `crowd-${i}`);
const names = Array.from({ length: 5000 }, (_, i) => `note-${i}`);
const settings = {
  watchSeconds: 20,
  silentSeconds: 3,
  firstPauseMilliseconds: 50,
  longestPauseMilliseconds: 1000,
  streamed: true,
  frozen: true,
};
const quickToDoubt = { pingAfterMilliseconds: 2000, deadAfterMilliseconds: 2000 };

const project = ({ metadata: { name, namespace = "", uid, resourceVersion } }: Kept): Kept => ({
  metadata: { name, namespace, uid, resourceVersion },
});

test("20,000 objects, three killed servers, stalls, compaction, GOAWAY and rotated tokens: the cache is right at the end", async (t) => {
  const cluster = await ownCluster(t, { "apiserver-arg": ["--goaway-chance=0.02"] });
  const admin = await clientOf(cluster.kubeconfigOf("admin"));
  t.after(() => admin.close());
  for (const namespace of namespaces) {
    await cluster.kubectl(["create", "namespace", namespace]);
    await createNotes(admin, namespace, names);
  }

  const { client, proxy, rotateToken } = await followerBehindProxy(t, cluster);
  const story = follow(t, client, settings);
  await story.reflector.untilSynced();
  equal(story.reflector.cache.size, namespaces.length * names.length);

  for (const namespace of namespaces.slice(0, 3)) {
    const stirring = stir(admin, namespace, names.slice(0, 1000));
    await rotateToken();
    proxy.stall();
    await stirring;
    await compact(cluster, admin);
    proxy.flow();
    const again = stir(admin, namespace, names.slice(500, 1500));
    await sleep(200);
    await cluster.restart("kube-apiserver");
    await again;
  }

  const { version, objects } = await freshList(admin);
  await story.reflector.cache.reached(version, AbortSignal.timeout(120_000));
  const cached = [...story.reflector.cache.values()].map(
    (n) => [keyOf(n), `${n.metadata.uid} ${n.metadata.resourceVersion}`] as const,
  );
  deepEqual(new Map(cached), objects, "the cache equals a fresh list");
  story.checkDeletions();
  ok(story.troubles.length > 0, "the watch was really disturbed");
});

test("the paged list does the same where the server does not stream", async (t) => {
  const cluster = await ownCluster(t, { "feature-gates": "WatchList=false" });
  const admin = await clientOf(cluster.kubeconfigOf("admin"));
  t.after(() => admin.close());
  await createNotes(admin, "default", names.slice(0, 1200));
  const story = follow(t, admin, settings);
  await story.reflector.untilSynced();
  equal(story.reflector.cache.size, 1200);
  await stir(admin, "default", names.slice(0, 300));
  const { version, objects } = await freshList(admin);
  await story.reflector.cache.reached(version, AbortSignal.timeout(60_000));
  equal(story.reflector.cache.size, objects.size);
  story.checkDeletions();
  deepEqual(story.troubles, [], "a server that does not stream is no trouble");
});

/** A reflector, and what it told: every object seen, and every deletion, counted. */
function follow(t: TestContext, client: Client, settings: object) {
  const seen = new Set<string>();
  const deletions = new Map<string, number>();
  const troubles: string[] = [];
  const reflector: Reflector<KubeObject, Kept> = reflect({
    client,
    resource: notes,
    where,
    project,
    settings,
    onTrouble: (problem) => troubles.push(String(problem)),
  });
  t.after(() => reflector.stop());
  reflector.cache.onChange((before, after) => {
    if (after !== undefined) seen.add(after.metadata.uid);
    else if (before !== undefined) deletions.set(before.metadata.uid, (deletions.get(before.metadata.uid) ?? 0) + 1);
  });
  const checkDeletions = () => {
    const alive = new Set([...reflector.cache.values()].map((n) => n.metadata.uid));
    const ended = [...seen].filter((uid) => !alive.has(uid));
    ok(ended.length > 0, "something was deleted");
    deepEqual(deletions, new Map(ended.map((uid) => [uid, 1])), "each deletion was told exactly once");
  };
  return { reflector, troubles, checkDeletions };
}

/** A client with the rights of a ServiceAccount, a token in a file, and a wire that can be held up. */
async function followerBehindProxy(
  t: TestContext,
  cluster: Cluster,
): Promise<{ client: Client; proxy: TcpProxy; rotateToken: () => Promise<void> }> {
  const rights = ["create", "clusterrole", "follower", "--verb=list,watch", "--resource=configmaps"];
  await cluster.kubectl(rights);
  await cluster.kubectl(["create", "serviceaccount", "follower"]);
  await cluster.kubectl([
    "create",
    "clusterrolebinding",
    "follower",
    "--clusterrole=follower",
    "--serviceaccount=default:follower",
  ]);
  const tokenFile = join(cluster.layout.directory, "token");
  let generation = 0;
  const rotateToken = async () => {
    const secret = `token-${++generation}`;
    await cluster.kubectl(["create", "secret", "generic", secret]);
    const bound = ["create", "token", "follower", "--bound-object-kind=Secret", `--bound-object-name=${secret}`];
    await writeFile(tokenFile, await cluster.kubectl(bound));
    // The token before is good for nothing from here on.
    if (generation > 1) await cluster.kubectl(["delete", "secret", `token-${generation - 1}`]);
  };
  await rotateToken();

  const proxy = await tcpProxyTo(Number(new URL(cluster.state.server).port));
  t.after(() => proxy.close());
  const kubeconfig = await writeKubeconfigThrough(proxy, cluster, tokenFile);
  const client = await clientOf(kubeconfig, { liveness: quickToDoubt });
  t.after(() => client.close());
  return { client, proxy, rotateToken };
}

/** etcd forgets all history up to now. */
async function compact(cluster: Cluster, admin: Client): Promise<void> {
  const url = cluster.components
    .get("etcd")
    ?.spec.args.find((arg) => arg.startsWith("--advertise-client-urls="))
    ?.split("=")[1];
  const { version } = await freshList(admin);
  await until("etcd compacts", async () => {
    const answer = await fetch(`${url}/v3/kv/compaction`, {
      method: "POST",
      body: JSON.stringify({ revision: version }),
    });
    return answer.ok || (await answer.text()).includes("compacted");
  });
}
