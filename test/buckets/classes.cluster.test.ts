import { deepEqual, equal, match } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { load } from "js-yaml";
import { caseOf, undefinedBecause } from "../../src/api/buckets/class-case.ts";
import { bucketClasses } from "../../src/api/gen/cosi.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { adminClient, keyOf, refusalOf } from "../fixture/client.ts";
import { installPortway } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { newClass } from "./world.ts";
import { aClass, nobodysDriver as provisioner } from "./written.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());

const secretRef = { name: "store-keys", namespace: "platform" };
const brownfield = { provisioner, bucketIdentifier: "photos", releasePolicy: "Retain" };
const everything = {
  provisioner,
  supportedProtocols: ["s3"],
  accessMode: "ro",
  releasePolicy: "Retain",
  bucketIdentifier: "photos",
  objectBucketName: "photos",
  parameters: { region: "eu", maxSizePerBucket: "1Gi" },
} as const;

const fine: readonly (readonly [says: string, is: string, fields: object])[] = [
  ["a driver alone", "Greenfield", { provisioner }],
  ["a driver and the end of the bucket", "Greenfield", { provisioner, releasePolicy: "Delete" }],
  ["a bucket that is there", "Brownfield", brownfield],
  ["a bucket by the old name of the field", "Brownfield", { provisioner, objectBucketName: "photos" }],
  ["both names of the field, alike, and all the rest", "Brownfield", everything],
  ["a Secret alone", "Static", { secretRef }],
  ["a Secret and an empty provisioner, as people leave it", "Static", { provisioner: "", secretRef }],
];

for (const [says, is, fields] of fine) {
  test(`a class with ${says} is stored as written, keeps buckets unless it says otherwise, and is ${is}`, async (t) => {
    const { apiVersion: _, kind: __, metadata, ...stored } = await newClass(t, admin, fields);
    deepEqual(stored, { releasePolicy: "Retain", ...fields });
    equal(caseOf({ metadata, ...stored }).is, is);
  });
}

const wrong: readonly (readonly [says: string, fields: object, answer: string | RegExp])[] = [
  ["an identifier and a Secret", { bucketIdentifier: "a", secretRef }, undefinedBecause.both],
  ["the old identifier and a Secret", { objectBucketName: "a", secretRef }, undefinedBecause.both],
  ["nobody who serves it", { parameters: { a: "b" } }, undefinedBecause.servedByNobody],
  ["an empty provisioner and no Secret", { provisioner: "" }, undefinedBecause.servedByNobody],
  ["a driver and a Secret", { provisioner, secretRef }, undefinedBecause.servedByNobody],
  ["the end of a bucket that was there", { ...brownfield, releasePolicy: "Delete" }, undefinedBecause.wouldDelete],
  [
    "the end of one by the old name",
    { provisioner, objectBucketName: "a", releasePolicy: "Delete" },
    undefinedBecause.wouldDelete,
  ],
  ["the end of what a Secret opens", { secretRef, releasePolicy: "Delete" }, undefinedBecause.wouldDelete],
  ["two identifiers", { ...brownfield, objectBucketName: "letters" }, undefinedBecause.twoIdentifiers],
  ["an unknown access", { provisioner, accessMode: "rx" }, /supported values: "ro", "wo", "rw"/],
  ["a list of accesses", { provisioner, accessMode: ["ro"] }, /accessMode in body must be of type string/],
  ["an unknown end", { provisioner, releasePolicy: "Recycle" }, /supported values: "Delete", "Retain"/],
  ["a driver that cannot be called so", { provisioner: "S3_Driver" }, /No driver can register under this name\. Use/],
  ["too long a driver", { provisioner: "d".repeat(64) }, /may not be more than 63 bytes/],
  ["half a Secret", { secretRef: { name: "a" } }, /secretRef\.namespace: Required value/],
  ["an odd Secret", { secretRef: { ...secretRef, name: "A" } }, /This is no name of an object\. Use lower-case/],
  ["an odd namespace", { secretRef: { ...secretRef, namespace: "a.b" } }, /This is no name of a namespace\. Use/],
  ["an empty identifier", { provisioner, bucketIdentifier: "" }, /should be at least 1 chars long/],
  ["a parameter that is no text", { provisioner, parameters: { size: 1 } }, /must be of type string: "integer"/],
  ["an empty protocol", { provisioner, supportedProtocols: [""] }, /should be at least 1 chars long/],
];

for (const [says, fields, answer] of wrong) {
  test(`a class with ${says} is refused with a sentence, and nothing is stored`, async () => {
    const written = aClass(fields);
    const refusal = await refusalOf(admin.create(bucketClasses, written));
    deepEqual([refusal.code, refusal.trouble], [422, "refused"]);
    if (typeof answer === "string") equal(refusal.message.includes(answer), true, refusal.message);
    else match(refusal.message, answer);
    equal(await admin.find(bucketClasses, { name: written.metadata.name ?? "" }), undefined);
  });
}

/** Every field, and what somebody would change it to; a class for each without it. */
const fields: readonly (readonly [field: keyof typeof everything | "secretRef", before: object, other: unknown])[] = [
  ["provisioner", { provisioner }, "other.test.portway.dev"],
  ["supportedProtocols", { provisioner, supportedProtocols: ["s3"] }, ["s3", "swift"]],
  ["accessMode", { provisioner, accessMode: "ro" }, "rw"],
  ["releasePolicy", { provisioner, releasePolicy: "Retain" }, "Delete"],
  ["bucketIdentifier", brownfield, "letters"],
  ["objectBucketName", { provisioner, objectBucketName: "photos" }, "letters"],
  ["secretRef", { secretRef }, { name: "other" }],
  ["parameters", { provisioner, parameters: { region: "eu" } }, { region: "us" }],
];

for (const [field, before, other] of fields) {
  test(`${field} of a class is never changed, added or taken away; its labels are`, async (t) => {
    const key = keyOf(await newClass(t, admin, before));
    await admin.merge(bucketClasses, key, { metadata: { labels: { team: "a" }, annotations: { why: "audit" } } });
    const bare = keyOf(await newClass(t, admin, field === "secretRef" ? { provisioner } : missing(field, before)));
    const written = (before as Readonly<Record<string, unknown>>)[field];
    const attempts = [
      admin.merge(bucketClasses, key, { [field]: other }),
      // What is left out comes back as its default: nothing has changed, and nothing is refused.
      ...(field === "releasePolicy" ? [] : [admin.merge(bucketClasses, key, { [field]: null })]),
      ...(field === "releasePolicy" ? [] : [admin.merge(bucketClasses, bare, { [field]: written })]),
    ];
    for (const refusal of await Promise.all(attempts.map(refusalOf))) {
      equal(refusal.code, 422);
      match(refusal.message, new RegExp(`: ${field} of a class never changes?\\. Write a new class\\.`));
    }
    const found = await admin.get(bucketClasses, key);
    deepEqual([(found as unknown as Record<string, unknown>)[field], found.metadata.labels], [written, { team: "a" }]);
  });
}

/** As near to it as a class without the field can be. */
function missing(field: string, before: object): object {
  const { [field]: _, ...rest } = { provisioner, ...before } as Readonly<Record<string, unknown>>;
  return field === "provisioner" ? { secretRef } : rest;
}

test("parameters are neither added one by one nor taken away", async (t) => {
  const key = keyOf(await newClass(t, admin, { provisioner, parameters: { region: "eu" } }));
  for (const parameters of [{ more: "1" }, { region: null }])
    match((await refusalOf(admin.merge(bucketClasses, key, { parameters }))).message, /parameters of a class never/);
});

test("a class that is older than the rules can be labelled and deleted, and still not changed", async (t) => {
  const name = "bucketclasses.cosi.io";
  const shipped = await readFile(join(packageRoot, "deploy/crds/bucketclasses.yaml"), "utf8");
  const loose = load(shipped) as { spec: { versions: [{ schema: { openAPIV3Schema: object } }] } };
  const { schema } = loose.spec.versions[0];
  schema.openAPIV3Schema = { ...schema.openAPIV3Schema, "x-kubernetes-validations": undefined };
  const written = aClass({ provisioner, bucketIdentifier: "photos", releasePolicy: "Delete", secretRef });
  const isTaken = () =>
    admin.create(bucketClasses, written, { dryRun: true }).then(
      () => true,
      () => false,
    );
  t.after(() => cluster.apply(shipped));
  await cluster.apply(JSON.stringify(loose));
  await until(`${name} has no rules`, isTaken);
  const old = await admin.create(bucketClasses, written);
  await cluster.apply(shipped);
  await until(`${name} has its rules again`, async () => !(await isTaken()));
  equal(caseOf(old).is, "Undefined", "and the controller does not trust what is stored");
  await admin.merge(bucketClasses, keyOf(old), { metadata: { labels: { team: "a" } } });
  match((await refusalOf(admin.merge(bucketClasses, keyOf(old), { secretRef: null }))).message, /secretRef of a class/);
  await admin.delete(bucketClasses, keyOf(old));
  equal(await admin.find(bucketClasses, keyOf(old)), undefined);
});

test("a class is shown with its driver, its end and its access, and wide with what it names", async (t) => {
  const { objectBucketName: _, ...fields } = everything;
  const { metadata } = await newClass(t, admin, fields);
  const shown = async (...words: readonly string[]) =>
    await cluster.kubectl(["get", "bktclass", metadata.name, ...words]);
  match(await shown(), /^NAME +PROVISIONER +POLICY +ACCESS +AGE\n\S+ +none\.test\.portway\.dev +Retain +ro +\d+s\n$/);
  match(await shown("-o", "wide"), /AGE +IDENTIFIER +SECRET\n\S+ .* photos *\n$/);
});
