import { deepEqual } from "node:assert/strict";
import { after, test } from "node:test";
import { leases } from "../../src/api/gen/coordination.ts";
import { configMaps, persistentVolumeClaims, secrets } from "../../src/api/gen/core.ts";
import { Change } from "../../src/kube/json-patch.ts";
import { newClaim, newPlace } from "../fixture/binding.ts";
import { adminClient, keyOf, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { expectNothingLeft } from "../fixture/transport.ts";
import { behindProxy } from "./behind-proxy.ts";
import { brokenIn, budgetOf, globalRules } from "./order.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());
expectNothingLeft();

test("a delete without a uid, and a blind change of a claim or a Secret, are found in the log", async (t) => {
  const { proxy, client } = await behindProxy(t, cluster);
  const place = await newPlace(t, admin);
  const { namespace } = place;
  const claim = await newClaim(client, place);
  const key = keyOf(claim);
  const { name } = key;
  const metadata = { namespace, name };
  const annotations = { touched: "1" };
  await client.patch(persistentVolumeClaims, key, new Change(claim).set(["metadata", "annotations"], {}).operations);
  await client.merge(persistentVolumeClaims, key, { metadata: { uid: key.uid, annotations } });
  await client.merge(persistentVolumeClaims, key, { metadata: { annotations } });
  const applied = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { ...metadata, annotations } };
  await client.apply(persistentVolumeClaims, applied, { force: true });
  const secret = await client.create(secrets, { metadata });
  const blind = await client.patch(secrets, metadata, [
    { op: "add", path: "/metadata/annotations", value: annotations },
  ]);
  await admin.create(configMaps, { metadata });
  await client.merge(configMaps, metadata, { metadata: { annotations } });
  const { resourceVersion } = blind.metadata;
  await client.merge(secrets, metadata, { metadata: { resourceVersion, annotations: { touched: "2" } } });
  await client.delete(secrets, keyOf(secret));
  await client.raw({ method: "DELETE", path: `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}` });
  deepEqual(
    brokenIn(proxy.log(), globalRules(proxy)).map(({ rule, why }) => `${rule.id} ${why}`),
    [
      `G2 #11 delete persistentvolumeclaims/${name} in ${namespace} (200) has no uid precondition`,
      `G2 #4 patch persistentvolumeclaims/${name} in ${namespace} (200) tests neither uid nor resourceVersion`,
      `G2 #5 apply persistentvolumeclaims/${name} in ${namespace} (200) tests neither uid nor resourceVersion`,
      `G2 #7 patch secrets/${name} in ${namespace} (200) tests neither uid nor resourceVersion`,
    ],
  );
});

test("whoever is asked to wait and does not is found in the log; the client waits", async (t) => {
  const { proxy, client } = await behindProxy(t, cluster);
  const namespace = await newNamespace(t, admin);
  const metadata = { namespace, name: "note" };
  const busy = { kind: "answer", code: 429, retryAfterSeconds: 1 } as const;
  const early = () => brokenIn(proxy.log(), globalRules(proxy)).map(({ rule }) => rule.says);
  proxy.arm({ site: { n: 1 }, fault: busy });
  await client.create(configMaps, { metadata });
  deepEqual(early(), []);
  const armed = proxy.arm({ site: { n: 1 }, fault: busy });
  const patient = client.merge(configMaps, metadata, { data: { a: "1" } });
  await armed.whenFired;
  await client.merge(configMaps, metadata, { data: { b: "2" } });
  await patient;
  deepEqual(early(), ["a server that asks for time gets it"]);
});

test("lists that may go back in time or have no limit are caught; the client and its reflector send none", async (t) => {
  const { proxy, client } = await behindProxy(t, cluster);
  const namespace = await newNamespace(t, admin);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await Array.fromAsync(client.pages(configMaps, { namespace }));
  (
    await client.watch(configMaps, { namespace }, { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan" })
  ).body.destroy();
  await client.get(configMaps, { namespace, name: "kube-root-ca.crt" }).catch(() => undefined);
  deepEqual(proxy.refusals(), []);
  await client.raw({ method: "GET", path });
  await client.raw({ method: "GET", path: `${path}?limit=0` });
  await client.raw({ method: "GET", path: `${path}?limit=5&resourceVersion=0` });
  (await client.watch(configMaps, { namespace }, { resourceVersion: "0" })).body.destroy();
  deepEqual(
    brokenIn(proxy.log(), globalRules(proxy)).map(({ rule, why }) => `${rule.id} ${why}`),
    [
      "G4 a list without a limit: configmaps by portway-test/0",
      "G4 a list without a limit: configmaps by portway-test/0",
      "G4 a list with resourceVersion=0 may go back in time: configmaps by portway-test/0",
      "G4 a watch with resourceVersion=0 may go back in time: configmaps by portway-test/0",
    ],
  );
});

test("the budget counts every attempt by verb and resource, without leases", async (t) => {
  const { proxy, client } = await behindProxy(t, cluster);
  const place = await newPlace(t, admin);
  const claim = await newClaim(client, place);
  const key = keyOf(claim);
  const conditions = { status: { conditions: [] } };
  await client.create(leases, { metadata: { namespace: place.namespace, name: "lease" } });
  await client.merge(persistentVolumeClaims, key, conditions, { subresource: "status" });
  proxy.arm({ site: { n: 1 }, fault: { kind: "answer", code: 409 } });
  await client.merge(persistentVolumeClaims, key, { metadata: { labels: { a: "1" } } }).catch(() => undefined);
  await client.merge(persistentVolumeClaims, key, { metadata: { labels: { a: "1" } } });
  deepEqual(budgetOf(proxy.log()), {
    "create persistentvolumeclaims": 1,
    "patch persistentvolumeclaims/status": 1,
    "patch persistentvolumeclaims": 2,
  });
});
