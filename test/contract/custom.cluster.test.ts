import { deepEqual, equal, match } from "node:assert/strict";
import { after, test } from "node:test";
import { customResourceDefinitions } from "../../src/api/gen/apiextensions.ts";
import type { KubeObject, Resource } from "../../src/api/object.ts";
import { pathOf } from "../../src/kube/paths.ts";
import { adminClient, keyOf, newNamespace, randomWord, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { told } from "../fixture/told.ts";

/** Objects of a kind that keeps whatever it is given, of which our type names one field. */
interface Wish extends KubeObject {
  readonly spec: { readonly text: string };
}

const cluster = await laneCluster();
const admin = await adminClient(cluster);
const group = `t-${randomWord()}.portway.dev`;
const wishes: Resource<Wish> = { group, version: "v1", plural: "wishes", kind: "Wish", namespaced: true };

const definition = await admin.create(customResourceDefinitions, {
  metadata: { name: `wishes.${group}` },
  spec: {
    group,
    names: { kind: "Wish", plural: "wishes" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});
after(async () => {
  await admin.delete(customResourceDefinitions, keyOf(definition));
  await admin.close();
});
const nowhere = { namespace: "default", name: "any" };
await until("the kind is served", async () => (await refusalOf(admin.get(wishes, nowhere))).reason === "NotFound");

test("fields that our types do not name survive a read and a write, and the client says of which kind they are", async (t) => {
  const unknown = { nested: { list: [1, "two", { three: null }], big: 9007199254740991 }, empty: {}, text: "a" };
  const metadata = { namespace: await newNamespace(t, admin), name: "wish" };
  const made = await admin.create(wishes, { metadata, spec: unknown });
  const seen = await admin.get(wishes, keyOf(made));
  const written = await admin.update(wishes, { metadata: seen.metadata, spec: { ...seen.spec, text: "b" } });
  deepEqual(written.spec, { ...unknown, text: "b" });
  deepEqual((await admin.get(wishes, keyOf(made))).spec, { ...unknown, text: "b" });
});

for (const mebibytes of [1.7, 2.5]) {
  test(`an object of ${mebibytes} MiB is 500 without a reason, never stored, and refused`, async (t) => {
    const metadata = { namespace: await newNamespace(t, admin), name: "wish" };
    const make = (text: string) =>
      admin.create(wishes, { apiVersion: `${group}/v1`, kind: "Wish", metadata, spec: { text } });
    const refusal = await refusalOf(make("x".repeat(mebibytes * 1024 * 1024)));
    deepEqual([refusal.code, refusal.reason, refusal.trouble], [500, "Unknown", "refused"]);
    match(refusal.message, /too large|larger than max/);
    equal(await admin.find(wishes, metadata), undefined);
    const small = await make("x");
    const grown = refusalOf(admin.merge(wishes, keyOf(small), { spec: { text: "x".repeat(mebibytes * 1024 * 1024) } }));
    equal((await grown).trouble, "refused");
    deepEqual(await admin.get(wishes, keyOf(small)), small);
  });
}

test("an integer beyond 2^53 survives a patch, but not a read and a write: we round it", async (t) => {
  const key = { namespace: await newNamespace(t, admin), name: "wish" };
  const path = pathOf(wishes, { namespace: key.namespace });
  const head = `"apiVersion":"${group}/v1","kind":"Wish","metadata":{"name":"wish"}`;
  const body = Buffer.from(`{${head},"spec":{"text":"a","big":9007199254740993}}`);
  const headers = { "content-type": "application/json", "content-length": String(body.length) };
  await admin.raw({ method: "POST", path, headers, body });
  const stored = async () => /"big":(\d+)/.exec((await admin.raw({ method: "GET", path })).text)?.[1];
  await admin.merge(wishes, key, { spec: { text: "b" } });
  equal(await stored(), "9007199254740993");
  await admin.update(wishes, await admin.get(wishes, key));
  equal(await stored(), "9007199254740992");
});

test("a watch from a version that is too old is answered 200 with one ERROR of code 410", async (t) => {
  const events = await told(admin, wishes, await newNamespace(t, admin), { resourceVersion: "1" });
  deepEqual(
    events.map(({ type, object: { code, reason } }) => ({ type, code, reason })),
    [{ type: "ERROR", code: 410, reason: "Expired" }],
  );
});
