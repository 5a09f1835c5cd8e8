import { deepEqual, equal, match } from "node:assert/strict";
import { after, test } from "node:test";
import { configMaps, persistentVolumes } from "../../src/api/gen/core.ts";
import type { Resource } from "../../src/api/object.ts";
import { adminClient, blamedFields, clientOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { asTenant, laneCluster } from "../fixture/lane.ts";

/** What each kind of no from the real server makes us do next. */
const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

test("what a tenant has no right to is refused, for reading and for writing", async (t) => {
  const namespace = await newNamespace(t, admin);
  const alice = await clientOf(await asTenant(cluster, "alice", namespace));
  t.after(() => alice.close());
  const metadata = { namespace: await newNamespace(t, admin), name: "note" };
  const calls = [
    alice.get(persistentVolumes, { name: "any" }),
    alice.find(configMaps, metadata),
    alice.create(configMaps, { metadata }),
  ];
  for (const refusal of await Promise.all(calls.map(refusalOf))) {
    deepEqual([refusal.code, refusal.reason, refusal.trouble], [403, "Forbidden", "refused"]);
    match(refusal.message, /User "alice" cannot/);
  }
});

test("an object that is not there is not found, and that is a conflict", async () => {
  const key = { namespace: "default", name: "no-such-note" };
  const refusal = await refusalOf(admin.get(configMaps, key));
  deepEqual([refusal.code, refusal.reason, refusal.isNotFound, refusal.trouble], [404, "NotFound", true, "conflict"]);
  equal(await admin.find(configMaps, key), undefined);
});

const unserved: readonly (readonly [says: string, place: Pick<Resource, "group" | "version">])[] = [
  ["kind", { group: "", version: "v1" }],
  ["version", { group: "storage.k8s.io", version: "v99" }],
  ["group", { group: "no.such.group", version: "v1" }],
];

for (const [says, place] of unserved) {
  test(`a ${says} that is not served is refused: looking again does not help`, async () => {
    const resource: Resource = { ...place, plural: "wishes", kind: "Wish", namespaced: true };
    const refusal = await refusalOf(admin.get(resource, { namespace: "default", name: "any" }));
    deepEqual([refusal.code, refusal.trouble], [404, "refused"]);
    match(refusal.message, /wishes\/any in default: the server does not serve this kind/);
  });
}

test("a body that is too large for the server is refused", async () => {
  const data = { text: "x".repeat(4 * 1024 * 1024) };
  const refusal = await refusalOf(admin.create(configMaps, { metadata: { namespace: "default", name: "big" }, data }));
  deepEqual([refusal.code, refusal.reason, refusal.trouble], [413, "RequestEntityTooLarge", "refused"]);
});

test("an object that is too large for its kind is refused", async () => {
  const data = { text: "x".repeat(1.2 * 1024 * 1024) };
  const refusal = await refusalOf(admin.create(configMaps, { metadata: { namespace: "default", name: "big" }, data }));
  deepEqual([refusal.code, refusal.reason, refusal.trouble], [422, "Invalid", "refused"]);
});

test("an invalid object is refused, and the fields are named", async () => {
  const metadata = { namespace: "default", name: "Not A Name" };
  const refusal = await refusalOf(admin.create(configMaps, { metadata }));
  deepEqual([refusal.code, refusal.reason, refusal.trouble], [422, "Invalid", "refused"]);
  deepEqual(blamedFields(refusal), ["metadata.name"]);
});

const senseless: readonly (readonly [says: string, text: string])[] = [
  ["a body that is not JSON", "{ nonsense"],
  ["a body with a value of another type", '{"metadata":{"name":"a"},"data":"text"}'],
  ["a body of another kind", '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}'],
];

for (const [says, text] of senseless) {
  test(`${says} is a bug of ours`, async () => {
    const body = Buffer.from(text);
    const headers = { "content-type": "application/json", "content-length": String(body.length) };
    const path = "/api/v1/namespaces/default/configmaps";
    const refusal = await refusalOf(admin.raw({ method: "POST", path, headers, body }));
    deepEqual([refusal.code, refusal.reason, refusal.trouble], [400, "BadRequest", "bug"]);
  });
}
