import { deepEqual, equal } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { type ConfigMap, configMaps } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import type { ApiError } from "../../src/kube/errors.ts";
import { adminClient, blamedFields, keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

/** An object under a name that another one had before, whose uid we still remember. */
async function successor(t: TestContext): Promise<{ readonly now: Stored<ConfigMap>; readonly formerUid: string }> {
  const object = { metadata: { namespace: await newNamespace(t, admin), name: "note" }, data: { text: "new" } };
  const former = await admin.create(configMaps, object);
  await admin.delete(configMaps, keyOf(former));
  return { now: await admin.create(configMaps, object), formerUid: former.metadata.uid };
}

async function staysAsItIs(now: Stored<ConfigMap>): Promise<void> {
  deepEqual(await admin.get(configMaps, keyOf(now)), now);
}

test("a delete with the uid of a former object under this name is a conflict, and deletes nothing", async (t) => {
  const { now, formerUid } = await successor(t);
  const refusal = await refusalOf(admin.delete(configMaps, { ...keyOf(now), uid: formerUid }));
  deepEqual([refusal.code, refusal.reason, refusal.trouble], [409, "Conflict", "conflict"]);
  await staysAsItIs(now);
});

test("a delete with a version that is too old is a conflict, and deletes nothing", async (t) => {
  const { now } = await successor(t);
  const written = await admin.merge(configMaps, keyOf(now), { data: { text: "newer" } });
  const { resourceVersion } = now.metadata;
  const refusal = await refusalOf(admin.delete(configMaps, keyOf(now), { resourceVersion }));
  deepEqual([refusal.code, refusal.reason, refusal.trouble], [409, "Conflict", "conflict"]);
  await staysAsItIs(written);
  await admin.delete(configMaps, keyOf(now), { resourceVersion: written.metadata.resourceVersion });
  equal(await admin.find(configMaps, keyOf(now)), undefined);
});

test("an update of a former object under this name is a conflict", async (t) => {
  const { now, formerUid } = await successor(t);
  const refusal = await refusalOf(admin.update(configMaps, { ...now, metadata: { ...now.metadata, uid: formerUid } }));
  deepEqual([refusal.code, refusal.trouble], [409, "conflict"]);
  await staysAsItIs(now);
});

function blamesTheUid(refusal: ApiError): void {
  deepEqual([refusal.code, refusal.reason, refusal.trouble], [422, "Invalid", "conflict"]);
  deepEqual(blamedFields(refusal), ["metadata.uid"]);
}

test("a merge patch with a former uid is 422 on metadata.uid, not 409, and a conflict to us", async (t) => {
  const { now, formerUid } = await successor(t);
  const change = { metadata: { uid: formerUid }, data: { text: "wrong" } };
  blamesTheUid(await refusalOf(admin.merge(configMaps, keyOf(now), change)));
  await staysAsItIs(now);
});

test("an apply with a former uid is 422 on metadata.uid, not 409, and a conflict to us", async (t) => {
  const { now, formerUid } = await successor(t);
  const { name, namespace = "" } = now.metadata;
  const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, uid: formerUid } };
  blamesTheUid(await refusalOf(admin.apply(configMaps, applied)));
  await staysAsItIs(now);
});

test("an apply with a uid never makes an object anew", async (t) => {
  const { now } = await successor(t);
  await admin.delete(configMaps, keyOf(now));
  const { name, namespace = "", uid } = now.metadata;
  const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, uid } };
  const refusal = await refusalOf(admin.apply(configMaps, applied));
  deepEqual([refusal.code, refusal.trouble], [409, "conflict"]);
  equal(await admin.find(configMaps, keyOf(now)), undefined);
});
