import { deepEqual, equal, match, ok } from "node:assert/strict";
import { after, test } from "node:test";
import { configMaps, limitRanges, namespaces, persistentVolumeClaims, resourceQuotas } from "../../src/api/gen/core.ts";
import { ApiError } from "../../src/kube/errors.ts";
import { adminClient, keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";

/** What a namespace does not let in, and how that is recognised. */
const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

function ask(namespace: string, storage: string, dryRun: boolean) {
  const spec = { accessModes: ["ReadWriteOnce"] as const, resources: { requests: { storage } }, storageClassName: "" };
  return admin.create(persistentVolumeClaims, { metadata: { namespace, name: "claim" }, spec }, { dryRun });
}

async function used(namespace: string): Promise<unknown> {
  return (await admin.get(resourceQuotas, { namespace, name: "quota" })).status?.used?.["requests.storage"];
}

/** Quotas and limits hold a moment after they are made: the server looks into its own cache. */
async function isRefused(call: Promise<unknown>, as: (refusal: ApiError) => boolean): Promise<boolean> {
  return await call.then(
    () => false,
    (problem: unknown) => problem instanceof ApiError && as(problem),
  );
}

test("a claim over the quota is refused, by a dry run too, and a dry run uses nothing up", async (t) => {
  const namespace = await newNamespace(t, admin);
  const hard = { "requests.storage": "10Gi" };
  await admin.create(resourceQuotas, { metadata: { namespace, name: "quota" }, spec: { hard } });
  await until("the quota holds", () =>
    isRefused(ask(namespace, "11Gi", true), ({ isQuotaExceeded }) => isQuotaExceeded),
  );
  for (const dryRun of [true, false]) {
    const refusal = await refusalOf(ask(namespace, "11Gi", dryRun));
    deepEqual([refusal.code, refusal.trouble, refusal.isQuotaExceeded], [403, "refused", true]);
    match(refusal.message, /exceeded quota: quota, requested: requests.storage=11Gi/);
  }
  await ask(namespace, "10Gi", true);
  equal(await used(namespace), "0");
  await ask(namespace, "10Gi", false);
  await until("the claim is counted", async () => (await used(namespace)) === "10Gi");
});

test("a claim outside the limits is refused, by a dry run too", async (t) => {
  const namespace = await newNamespace(t, admin);
  const limits = [{ type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } }];
  await admin.create(limitRanges, { metadata: { namespace, name: "limits" }, spec: { limits } });
  await until("the limits hold", () => isRefused(ask(namespace, "3Gi", true), ({ code }) => code === 403));
  for (const [storage, dryRun] of [
    ["1Mi", true],
    ["3Gi", true],
    ["3Gi", false],
  ] as const) {
    const refusal = await refusalOf(ask(namespace, storage, dryRun));
    deepEqual([refusal.code, refusal.reason, refusal.trouble], [403, "Forbidden", "refused"]);
    match(refusal.message, /(minimum|maximum) storage usage per PersistentVolumeClaim is/);
    equal(refusal.isQuotaExceeded, false);
  }
  await ask(namespace, "1Gi", false);
});

test("nothing can be made in a terminating namespace, and that is recognised", async () => {
  const { metadata } = await admin.create(namespaces, { metadata: { generateName: "t-" } });
  const held = await admin.create(configMaps, {
    metadata: { namespace: metadata.name, name: "held", finalizers: ["portway.dev/a"] },
  });
  await admin.delete(namespaces, metadata);
  try {
    for (const dryRun of [true, false]) {
      const refusal = await refusalOf(ask(metadata.name, "1Gi", dryRun));
      deepEqual([refusal.code, refusal.reason, refusal.trouble], [403, "Forbidden", "refused"]);
      ok(refusal.isNamespaceTerminating);
    }
  } finally {
    await admin.merge(configMaps, keyOf(held), { metadata: { finalizers: null } });
  }
});

test("nothing can be made in a namespace that is not there: a 404 that names the namespace", async () => {
  const refusal = await refusalOf(ask("no-such-namespace", "1Gi", false));
  deepEqual([refusal.code, refusal.trouble], [404, "conflict"]);
  match(refusal.message, /namespaces "no-such-namespace" not found/);
});
