import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { type ConfigMap, configMaps, persistentVolumeClaims } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import { isRemoved } from "../../src/kube/client.ts";
import { Change } from "../../src/kube/json-patch.ts";
import { newClaim } from "../fixture/binding.ts";
import { adminClient, clientOf, keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { asTenant, laneCluster } from "../fixture/lane.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

/** Two looks at one object: what was seen first, and what it has become since. */
async function overtaken(namespace: string): Promise<Stored<ConfigMap>> {
  const seen = await admin.create(configMaps, { metadata: { namespace, name: "note" }, data: { text: "first" } });
  await admin.merge(configMaps, keyOf(seen), { data: { text: "somebody else's" } });
  return seen;
}

test("an update, a merge patch and an apply with a version that is too old are conflicts", async (t) => {
  const seen = await overtaken(await newNamespace(t, admin));
  const { name, namespace = "", resourceVersion } = seen.metadata;
  const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, resourceVersion } };
  const calls = [
    admin.update(configMaps, { ...seen, data: { text: "mine" } }),
    admin.merge(configMaps, keyOf(seen), { metadata: { resourceVersion }, data: { text: "mine" } }),
    admin.apply(configMaps, { ...applied, data: { text: "mine" } }, { force: true }),
  ];
  for (const refusal of await Promise.all(calls.map(refusalOf))) {
    deepEqual([refusal.code, refusal.reason, refusal.trouble], [409, "Conflict", "conflict"]);
  }
  deepEqual((await admin.get(configMaps, keyOf(seen))).data, { text: "somebody else's" });
});

test("a name that is taken is a conflict, and what is there stays as it is", async (t) => {
  const namespace = await newNamespace(t, admin);
  const make = (text: string) => admin.create(configMaps, { metadata: { namespace, name: "note" }, data: { text } });
  const first = await make("first");
  const refusal = await refusalOf(make("second"));
  deepEqual([refusal.code, refusal.reason, refusal.trouble], [409, "AlreadyExists", "conflict"]);
  deepEqual((await admin.get(configMaps, keyOf(first))).data, { text: "first" });
});

test("a finalizer delays the delete, and the object goes with its last finalizer", async (t) => {
  const metadata = {
    namespace: await newNamespace(t, admin),
    name: "held",
    finalizers: ["portway.dev/a", "portway.dev/b"],
  };
  const held = await admin.create(configMaps, { metadata });
  await admin.delete(configMaps, keyOf(held));
  const release = async (finalizer: string) => {
    const seen = await admin.get(configMaps, keyOf(held));
    equal(typeof seen.metadata.deletionTimestamp, "string");
    const answer = await admin.patch(configMaps, keyOf(held), new Change(seen).removeFinalizer(finalizer).operations);
    return { isRemoved: isRemoved(answer), isOlder: answer.metadata.resourceVersion === seen.metadata.resourceVersion };
  };
  // The answer to the write that removes it has the version of what was there before.
  deepEqual(await release("portway.dev/a"), { isRemoved: false, isOlder: false });
  deepEqual(await release("portway.dev/b"), { isRemoved: true, isOlder: true });
  equal(await admin.find(configMaps, keyOf(held)), undefined);
});

test("a second delete of what is being deleted changes nothing", async (t) => {
  const metadata = { namespace: await newNamespace(t, admin), name: "held", finalizers: ["portway.dev/a"] };
  const held = await admin.create(configMaps, { metadata });
  t.after(() => admin.merge(configMaps, keyOf(held), { metadata: { finalizers: null } }));
  await admin.delete(configMaps, keyOf(held));
  const before = await admin.get(configMaps, keyOf(held));
  await admin.delete(configMaps, keyOf(held));
  deepEqual(await admin.get(configMaps, keyOf(held)), before);
});

test("a write that changes nothing stores nothing and keeps the version", async (t) => {
  const namespace = await newNamespace(t, admin);
  const seen = await admin.create(configMaps, { metadata: { namespace, name: "note" }, data: { text: "same" } });
  const again = await admin.merge(configMaps, keyOf(seen), { data: { text: "same" } });
  equal(again.metadata.resourceVersion, seen.metadata.resourceVersion);
});

test("the status of a claim is reset when it is made, and only /status writes it", async (t) => {
  const namespace = await newNamespace(t, admin);
  const conditions = [{ type: "portway.dev/Given", status: "True" }];
  const claim = await admin.create(persistentVolumeClaims, {
    metadata: { namespace, name: "claim" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "" },
    status: { phase: "Bound", conditions },
  });
  deepEqual(claim.status, { phase: "Pending" });
  const plain = await admin.merge(persistentVolumeClaims, keyOf(claim), { status: { conditions } });
  deepEqual(plain.status, { phase: "Pending" });
  const change = { metadata: { labels: { a: "b" } }, spec: { volumeName: "v" }, status: { conditions } };
  const written = await admin.merge(persistentVolumeClaims, keyOf(claim), change, { subresource: "status" });
  deepEqual([written.status?.conditions?.length, written.spec?.volumeName], [1, undefined]);
});

test("a tenant may write claims, but never the status of one", async (t) => {
  const namespace = await newNamespace(t, admin);
  const alice = await clientOf(await asTenant(cluster, "alice", namespace));
  t.after(() => alice.close());
  const claim = await newClaim(alice, { namespace, className: "" });
  const status = { phase: "Bound" };
  const refusal = await refusalOf(
    alice.merge(persistentVolumeClaims, keyOf(claim), { status }, { subresource: "status" }),
  );
  deepEqual([refusal.code, refusal.reason, refusal.trouble], [403, "Forbidden", "refused"]);
});
