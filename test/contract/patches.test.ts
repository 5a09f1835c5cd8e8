import { deepEqual, equal } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { type ConfigMap, configMaps } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import { loadTarget } from "../../src/kube/config/load-target.ts";
import type { Operation } from "../../src/kube/json-patch.ts";
import { pathOf } from "../../src/kube/paths.ts";
import { transportTo } from "../../src/kube/transport/transport.ts";
import { adminClient, blamedFields, keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
const target = await loadTarget({ env: {}, kubeconfig: cluster.kubeconfigOf("admin") });
const transport = transportTo({ target, userAgent: "portway-test" });
after(async () => {
  await admin.close();
  await transport.close();
});

async function newNote(t: TestContext): Promise<Stored<ConfigMap>> {
  const namespace = await newNamespace(t, admin);
  return await admin.create(configMaps, { metadata: { namespace, name: "note" }, data: { text: "first" } });
}

async function answerTo(note: Stored<ConfigMap>, operation: object): Promise<string> {
  const body = Buffer.from(JSON.stringify([operation]));
  const headers = { "content-type": "application/json-patch+json", "content-length": String(body.length) };
  const path = pathOf(configMaps, keyOf(note));
  const { status, text } = await transport.exchange({ method: "PATCH", path, headers, body });
  return `${status} ${text}`;
}

const failing: readonly Operation[] = [{ op: "test", path: "/data/text", value: "another" }];

test("a failed test is 422 Invalid without causes, and a conflict to us", async (t) => {
  const note = await newNote(t);
  const refusal = await refusalOf(admin.patch(configMaps, keyOf(note), failing));
  deepEqual([refusal.code, refusal.reason, refusal.causes, refusal.trouble], [422, "Invalid", [], "conflict"]);
});

const unfit: readonly (readonly [says: string, operation: object])[] = [
  ["a test of a path that is not there", { op: "test", path: "/data/none", value: "x" }],
  ["a test for null below a path that is not there", { op: "test", path: "/none/none", value: null }],
  ["a remove of a path that is not there", { op: "remove", path: "/data/none" }],
  ["a replace below a path that is not there", { op: "replace", path: "/none/none", value: "x" }],
  ["an add below a path that is not there", { op: "add", path: "/none/none", value: "x" }],
  ["an operation that JSON patch does not have", { op: "increase", path: "/data/text" }],
];

for (const [says, operation] of unfit) {
  test(`${says} is answered byte for byte like a failed test`, async (t) => {
    const note = await newNote(t);
    equal(await answerTo(note, operation), await answerTo(note, { op: "test", path: "/data/text", value: "another" }));
  });
}

test("a replace of a member that is not there adds it, against the standard", async (t) => {
  const note = await newNote(t);
  const operations: readonly Operation[] = [{ op: "replace", path: "/data/none", value: "x" }];
  deepEqual((await admin.patch(configMaps, keyOf(note), operations)).data, { text: "first", none: "x" });
});

test("a test for null holds where a member is missing", async (t) => {
  const note = await newNote(t);
  const operations: readonly Operation[] = [
    { op: "test", path: "/data/none", value: null },
    { op: "test", path: "/metadata/annotations", value: null },
    { op: "add", path: "/data/none", value: "x" },
  ];
  deepEqual((await admin.patch(configMaps, keyOf(note), operations)).data, { text: "first", none: "x" });
});

test("an add over what is there replaces all of it", async (t) => {
  const note = await newNote(t);
  const operations: readonly Operation[] = [{ op: "add", path: "/data", value: { other: "x" } }];
  deepEqual((await admin.patch(configMaps, keyOf(note), operations)).data, { other: "x" });
});

test("a patch that fails at its end has stored nothing of its beginning", async (t) => {
  const note = await newNote(t);
  const operations: readonly Operation[] = [{ op: "add", path: "/data/text", value: "mine" }, ...failing];
  await refusalOf(admin.patch(configMaps, keyOf(note), operations));
  deepEqual(await admin.get(configMaps, keyOf(note)), note);
});

test("a patch to something invalid is 422 with causes, and refused", async (t) => {
  const note = await newNote(t);
  const operations: readonly Operation[] = [{ op: "add", path: "/data/no~1slash", value: "x" }];
  const refusal = await refusalOf(admin.patch(configMaps, keyOf(note), operations));
  deepEqual([refusal.code, refusal.reason, refusal.trouble], [422, "Invalid", "refused"]);
  deepEqual(blamedFields(refusal), ["data[no/slash]"]);
});

test("a patch to something of another type is 422 with causes, and refused", async (t) => {
  const note = await newNote(t);
  const operations: readonly Operation[] = [{ op: "add", path: "/data", value: "x" }];
  const refusal = await refusalOf(admin.patch(configMaps, keyOf(note), operations));
  deepEqual([refusal.code, refusal.reason, refusal.trouble], [422, "Invalid", "refused"]);
  deepEqual(blamedFields(refusal), ["patch"]);
});

test("the very same patch refused again and again is a bug: it was not built from what was seen", async (t) => {
  const note = await newNote(t);
  const patch = () => refusalOf(admin.patch(configMaps, keyOf(note), failing));
  deepEqual([(await patch()).trouble, (await patch()).trouble], ["conflict", "conflict"], "a watch may be late");
  await until("it is called a bug", async () => (await patch()).trouble === "bug");
});
