import { deepEqual, equal, ok } from "node:assert/strict";
import { after, test } from "node:test";
import { configMaps } from "../../src/api/gen/core.ts";
import { loadTarget } from "../../src/kube/config/load-target.ts";
import { Change } from "../../src/kube/json-patch.ts";
import { openClient } from "../../src/kube/open-client.ts";
import { adminClient, clientOf, keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { told } from "../fixture/told.ts";
import { expectNothingLeft } from "../fixture/transport.ts";
import { behindProxy } from "./behind-proxy.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());
expectNothingLeft();

test("what is read through the proxy is what the server says", async (t) => {
  const { client } = await behindProxy(t, cluster);
  const namespace = await newNamespace(t, admin);
  for (const name of ["a", "b", "c"])
    await admin.create(configMaps, { metadata: { namespace, name }, data: { text: "grüße\n" } });
  for (const path of [
    "/version",
    `/api/v1/namespaces/${namespace}/configmaps?limit=2&fieldSelector=metadata.name%3Da`,
  ]) {
    const [through, straight] = await Promise.all([client, admin].map((one) => one.raw({ method: "GET", path })));
    equal(through?.text, straight?.text);
    deepEqual(Object.keys(through?.headers ?? {}).toSorted(), Object.keys(straight?.headers ?? {}).toSorted());
  }
  const pages = async (one: typeof admin) =>
    await Array.fromAsync(one.pages(configMaps, { namespace }, { pageSize: 2 }));
  const [through, straight] = [await pages(client), await pages(admin)];
  deepEqual(
    through.map(({ items }) => items),
    straight.map(({ items }) => items),
  );
  const refusals = [client, admin].map((one) => refusalOf(one.get(configMaps, { namespace, name: "none" })));
  const [mine, theirs] = await Promise.all(refusals);
  deepEqual([mine?.code, mine?.message], [404, theirs?.message]);
});

test("every kind of write arrives as it was sent, and is logged with what it demands", async (t) => {
  const { client, proxy } = await behindProxy(t, cluster);
  const namespace = await newNamespace(t, admin);
  const made = await client.create(configMaps, { metadata: { namespace, generateName: "note-" } });
  const { name, uid, resourceVersion } = made.metadata;
  const patched = await client.patch(configMaps, keyOf(made), new Change(made).set(["data"], { a: "1" }).operations);
  await client.merge(configMaps, keyOf(made), { metadata: { uid }, data: { b: "2" } });
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name, uid }, data: { c: "3" } };
  const applied = await client.apply(configMaps, object);
  deepEqual(applied.data, { a: "1", b: "2", c: "3" });
  await client.update(configMaps, { ...applied, data: {} }, { dryRun: true });
  const stranger = await refusalOf(client.delete(configMaps, { ...keyOf(made), uid: "other" }));
  equal(stranger.code, 409);
  await client.delete(configMaps, keyOf(made), { resourceVersion: applied.metadata.resourceVersion });
  equal(await admin.find(configMaps, keyOf(made)), undefined);

  const log = proxy.log();
  const shared = { group: "", resource: "configmaps", namespace, name, userAgent: "portway-test/0" };
  for (const record of log) {
    for (const [field, value] of Object.entries(shared)) equal(record[field as keyof typeof record], value);
    // What is only previewed can lose nothing: it is no site.
    deepEqual(
      [record.upkeep, record.delivered, record.fault, record.told],
      [record.dryRun, true, undefined, record.code],
    );
  }
  const tests = [
    { path: "/metadata/uid", value: uid },
    { path: "/metadata/resourceVersion", value: resourceVersion },
  ];
  deepEqual(
    log.map(({ n, verb, code, dryRun, preconditions }) => [n, verb, code, dryRun, preconditions]),
    [
      [1, "create", 201, false, { tests: [] }],
      [2, "patch", 200, false, { uid, resourceVersion, tests }],
      [3, "patch", 200, false, { uid, tests: [] }],
      [4, "apply", 200, false, { uid, tests: [] }],
      [0, "update", 200, true, { uid, resourceVersion: applied.metadata.resourceVersion, tests: [] }],
      [5, "delete", 409, false, { uid: "other", tests: [] }],
      [6, "delete", 200, false, { uid, resourceVersion: applied.metadata.resourceVersion, tests: [] }],
    ],
  );
  deepEqual(log[1]?.answer, patched);
  deepEqual(proxy.since(5), log.slice(5));
});

test("everybody is who they are behind the proxy too", async (t) => {
  const { client, proxy } = await behindProxy(t, cluster, {}, "alice");
  const namespace = await newNamespace(t, admin);
  equal((await refusalOf(client.create(configMaps, { metadata: { namespace, name: "a" } }))).code, 403);
  await cluster.kubectl(["-n", namespace, "create", "serviceaccount", "robot"]);
  const robot = await clientOf(await proxy.kubeconfigFor(await cluster.serviceAccount(namespace, "robot")));
  t.after(() => robot.close());
  const refused = await refusalOf(robot.get(configMaps, { namespace, name: "a" }));
  ok(refused.message.includes(`system:serviceaccount:${namespace}:robot`), refused.message);
  const kubeconfig = await proxy.kubeconfigFor(cluster.kubeconfigOf("admin"));
  const as = { user: "carol", groups: ["left", "right"] };
  const carol = openClient(await loadTarget({ env: {}, kubeconfig, as }), { component: "portway-test", version: "0" });
  t.after(() => carol.close());
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const headers = { "content-type": "application/json" };
  const body = Buffer.from('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}');
  const review = JSON.parse((await carol.raw({ method: "POST", path, headers, body })).text) as {
    readonly status: { readonly userInfo: { readonly groups: readonly string[] } };
  };
  deepEqual(review.status.userInfo.groups, ["left", "right", "system:authenticated"]);
  deepEqual(
    proxy.log().map(({ resource, code }) => [resource, code]),
    [["configmaps", 403]],
    "a question about oneself is no write",
  );
});

test("an object of a megabyte passes whole in both directions", async (t) => {
  const { client } = await behindProxy(t, cluster);
  const namespace = await newNamespace(t, admin);
  const text = "0123456789".repeat(100_000);
  const big = await client.create(configMaps, { metadata: { namespace, name: "big" }, data: { text } });
  equal(big.data?.["text"], text);
  deepEqual(await client.get(configMaps, keyOf(big)), await admin.get(configMaps, keyOf(big)));
});

test("fifty writes at a time are all stored, and each has a number of its own", async (t) => {
  const { client, proxy } = await behindProxy(t, cluster);
  const namespace = await newNamespace(t, admin);
  const numbers = Array.from({ length: 50 }, (_, i) => i + 1);
  await Promise.all(numbers.map((i) => client.create(configMaps, { metadata: { namespace, name: `note-${i}` } })));
  const stored = await Array.fromAsync(admin.pages(configMaps, { namespace }));
  const names = new Set(stored.flatMap(({ items }) => items.map(({ metadata }) => metadata.name)));
  ok(numbers.every((i) => names.has(`note-${i}`)));
  deepEqual(
    proxy.log().map(({ n }) => n),
    numbers,
  );
});

test("a watch tells the same through the proxy as without it, until the server ends it", async (t) => {
  const { client, proxy } = await behindProxy(t, cluster);
  const namespace = await newNamespace(t, admin);
  const made = await admin.create(configMaps, { metadata: { namespace, name: "note" } });
  const query = { resourceVersion: made.metadata.resourceVersion, timeoutSeconds: "4" };
  const both = [client, admin].map((one) => told(one, configMaps, namespace, query));
  for (let i = 0; i < 100; i++) await admin.merge(configMaps, keyOf(made), { data: { i: String(i) } });
  await admin.delete(configMaps, keyOf(made));
  const [through = [], straight = []] = await Promise.all(both);
  ok(through.length > 100);
  deepEqual(through, straight);
  equal(proxy.watching(), 0);
});

test("more watches than one connection takes are open side by side, and go when nobody reads them", async (t) => {
  const { client, proxy } = await behindProxy(t, cluster);
  const namespace = await newNamespace(t, admin);
  const { metadata } = await admin.create(configMaps, { metadata: { namespace, name: "note" } });
  const query = { resourceVersion: metadata.resourceVersion };
  const open = Array.from({ length: 130 }, () => client.watch(configMaps, { namespace }, query));
  const watches = await Promise.all(open);
  equal(proxy.watching("configmaps"), 130);
  for (const { body } of watches) body.destroy();
  await until("no watch is open", () => proxy.watching() === 0);
});

test("a client that does not read is not read for", async (t) => {
  const { client, proxy } = await behindProxy(t, cluster);
  const namespace = await newNamespace(t, admin);
  const data = { text: "x".repeat(1_000_000) };
  for (let i = 0; i < 30; i++) await admin.create(configMaps, { metadata: { namespace, name: `big-${i}` }, data });
  const query = { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: "true" };
  const { body } = await client.watch(configMaps, { namespace }, query);
  const isLast = ({ type }: { readonly type: string }) => type === "BOOKMARK";
  equal((await told(client, configMaps, namespace, query, isLast)).length, 32, "who came later has all of it by now");
  ok(proxy.heldEvents() < 10, `${proxy.heldEvents()} events wait in the proxy`);
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (chunk.toString("latin1").includes("initial-events-end")) break;
  }
  ok(bytes > 30_000_000, `${bytes} bytes arrived`);
});
