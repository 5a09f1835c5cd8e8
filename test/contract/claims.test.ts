import { deepEqual, equal, match } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { Change } from "../../src/kube/json-patch.ts";
import { type Claim, newClaim } from "../fixture/binding.ts";
import { adminClient, blamedFields, keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";

/** What may be written to a claim that is not bound yet, and to one that is on its way out. */
const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

async function newPendingClaim(t: TestContext): Promise<Claim> {
  return await newClaim(admin, { namespace: await newNamespace(t, admin), className: "" });
}

function write(claim: Claim, change: object): Promise<Claim> {
  return admin.merge(persistentVolumeClaims, keyOf(claim), change);
}

const fixed: readonly (readonly [field: string, spec: object])[] = [
  ["resources", { resources: { requests: { storage: "2Gi" } } }],
  ["accessModes", { accessModes: ["ReadWriteMany"] }],
  ["selector", { selector: { matchLabels: { a: "b" } } }],
  ["storageClassName", { storageClassName: "other" }],
  ["dataSourceRef", { dataSourceRef: { kind: "PersistentVolumeClaim", name: "other" } }],
];

test("the spec of a claim is immutable before it is bound, its size too", async (t) => {
  const claim = await newPendingClaim(t);
  for (const [field, spec] of fixed) {
    const refusal = await refusalOf(write(claim, { spec }));
    deepEqual([refusal.code, refusal.trouble], [422, "refused"], field);
    match(refusal.message, /spec is immutable/, field);
  }
});

test("the volumeName of a claim may be set once, and never again", async (t) => {
  const claim = await newPendingClaim(t);
  equal((await write(claim, { spec: { volumeName: "one" } })).spec?.volumeName, "one");
  for (const volumeName of ["two", null]) {
    equal((await refusalOf(write(claim, { spec: { volumeName } }))).code, 422);
  }
});

/** Deleted, and held by a finalizer of ours until the end of the test. */
async function newTerminatingClaim(t: TestContext): Promise<Claim> {
  const claim = await newClaim(
    admin,
    { namespace: await newNamespace(t, admin), className: "" },
    {},
    { finalizers: ["portway.dev/a", "portway.dev/b"] },
  );
  t.after(() => write(claim, { metadata: { finalizers: null } }));
  await admin.delete(persistentVolumeClaims, keyOf(claim));
  return await admin.get(persistentVolumeClaims, keyOf(claim));
}

test("the annotations and labels of a terminating claim can be written", async (t) => {
  const claim = await newTerminatingClaim(t);
  const change = { annotations: { a: "1" }, labels: { b: "2" } };
  const { annotations, labels, deletionTimestamp } = (await write(claim, { metadata: change })).metadata;
  deepEqual({ annotations, labels }, change);
  equal(deletionTimestamp, claim.metadata.deletionTimestamp);
});

test("a terminating claim takes no new finalizer, and lets go of those it has", async (t) => {
  const claim = await newTerminatingClaim(t);
  const more = new Change(claim, { anyVersion: true }).addFinalizer("portway.dev/late");
  const refusal = await refusalOf(admin.patch(persistentVolumeClaims, keyOf(claim), more.operations));
  deepEqual([refusal.code, refusal.trouble], [422, "refused"]);
  deepEqual(blamedFields(refusal), ["metadata.finalizers"]);
  const less = await write(claim, { metadata: { finalizers: ["portway.dev/a"] } });
  deepEqual(less.metadata.finalizers, ["portway.dev/a"]);
});

test("the deletionTimestamp of a terminating claim cannot be cleared: the server accepts that and ignores it", async (t) => {
  const claim = await newTerminatingClaim(t);
  const { deletionTimestamp } = claim.metadata;
  const merged = await write(claim, { metadata: { deletionTimestamp: null, deletionGracePeriodSeconds: null } });
  equal(merged.metadata.deletionTimestamp, deletionTimestamp);
  const patched = await admin.patch(persistentVolumeClaims, keyOf(claim), [
    { op: "remove", path: "/metadata/deletionTimestamp" },
  ]);
  equal(patched.metadata.deletionTimestamp, deletionTimestamp);
});
