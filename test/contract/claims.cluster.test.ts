import { deepEqual, equal, match } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { storageClasses } from "../../src/api/gen/storage.ts";
import { type Claim, newBoundPair, newClaim, newPlace } from "../fixture/binding.ts";
import { adminClient, blamedFields, keyOf, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";

/** What may be written to a claim that is bound, or whose class is open. */
const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

function writeSpec(claim: Claim, spec: object): Promise<Claim> {
  return admin.merge(persistentVolumeClaims, keyOf(claim), { spec });
}

function ask(claim: Claim, storage: string): Promise<Claim> {
  return writeSpec(claim, { resources: { requests: { storage } } });
}

test("the class of a claim that has none may be set once, and never again", async (t) => {
  const { namespace } = await newPlace(t, admin);
  const claim = await admin.create(persistentVolumeClaims, {
    metadata: { namespace, name: "open" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
  equal(claim.spec?.storageClassName, undefined, "no class is the default one here");
  equal((await writeSpec(claim, { storageClassName: "one" })).spec?.storageClassName, "one");
  equal((await refusalOf(writeSpec(claim, { storageClassName: "two" }))).code, 422);
});

test("an empty class is a class, and cannot be set later", async (t) => {
  const claim = await newClaim(admin, { ...(await newPlace(t, admin)), className: "" });
  equal((await refusalOf(writeSpec(claim, { storageClassName: "late" }))).code, 422);
});

const fixed: readonly (readonly [field: string, spec: object])[] = [
  ["volumeName", { volumeName: "other" }],
  ["storageClassName", { storageClassName: "other" }],
  ["accessModes", { accessModes: ["ReadWriteMany"] }],
  ["selector", { selector: { matchLabels: { a: "b" } } }],
  ["dataSourceRef", { dataSourceRef: { kind: "PersistentVolumeClaim", name: "other" } }],
];

test("the spec of a bound claim is immutable", async (t) => {
  const { claim } = await newBoundPair(t, admin, await newPlace(t, admin));
  for (const [field, spec] of fixed) {
    const refusal = await refusalOf(writeSpec(claim, spec));
    deepEqual([refusal.code, refusal.trouble], [422, "refused"], field);
    match(refusal.message, /spec is immutable/, field);
  }
});

test("a bound claim may ask for more only if its class allows it", async (t) => {
  const { claim } = await newBoundPair(t, admin, await newPlace(t, admin));
  const refusal = await refusalOf(ask(claim, "2Gi"));
  deepEqual([refusal.code, refusal.trouble], [403, "refused"]);
});

test("a bound claim may ask for more, then for less, but never for less than it has", async (t) => {
  const place = await newPlace(t, admin);
  await newGrowingClass(t, place.className);
  const { claim } = await newBoundPair(t, admin, place);
  equal((await ask(claim, "3Gi")).spec?.resources?.requests?.["storage"], "3Gi");
  equal((await ask(claim, "2Gi")).spec?.resources?.requests?.["storage"], "2Gi");
  const refusal = await refusalOf(ask(claim, "1Mi"));
  deepEqual([refusal.code, blamedFields(refusal)], [422, ["spec.resources.requests.storage"]]);
});

async function newGrowingClass(t: TestContext, name: string): Promise<void> {
  const made = await admin.create(storageClasses, {
    metadata: { name },
    provisioner: "contract.portway.dev",
    allowVolumeExpansion: true,
  });
  t.after(() => admin.delete(storageClasses, keyOf(made)));
}
