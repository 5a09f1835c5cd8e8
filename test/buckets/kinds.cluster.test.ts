import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { bucketContents, buckets, cosiRegistrations } from "../../src/api/gen/cosi.ts";
import type { KubeObject, Resource } from "../../src/api/object.ts";
import { blamedFields, keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { bucketGround } from "./scene.ts";
import { aBucket, aContent, aRegistration, newContent } from "./written.ts";

const { admin } = await bucketGround();

const noName = /This is no name of an object\. Use lower-case letters, digits, dashes and dots, and begin and end/;
const noPrefix = /No bucket can have a name that begins so\. Use letters, digits, dashes and single dots, and begin/;
const noNamespace = /This is no name of a namespace\. Use lower-case letters, digits and dashes, and begin and end/;
const tooLong = /may not be more than 253 bytes/;
const long = "a".repeat(253);
const ref = { name: "photos", namespace: "nowhere", uuid: "0b5a1f3e-9c1d-4a57-8f0e-2d6b3c4a5e6f" };
const secretRef = { name: "store-keys", namespace: "platform" };

const wishes: readonly (readonly [says: string, spec: object])[] = [
  ["no prefix", {}],
  ["an empty prefix", { bucketPrefix: "" }],
  ["the seed's own prefix", { bucketPrefix: "YosemitePhotos-" }],
  ["a prefix with dots", { bucketPrefix: "www.9-example" }],
  ["the longest names", { bucketClassName: long, secretName: long, bucketPrefix: long }],
];

for (const [says, spec] of wishes) {
  test(`a Bucket with ${says} is stored as it was written`, async (t) => {
    const wish = aBucket(await newNamespace(t, admin), spec);
    deepEqual((await admin.create(buckets, wish)).spec, wish.spec);
  });
}

type Wrong = readonly [says: string, field: string, spec: object, answer: RegExp];

const wrongBuckets: readonly Wrong[] = [
  ["no class", "spec.bucketClassName", { bucketClassName: undefined }, /Required value/],
  ["an empty class", "spec.bucketClassName", { bucketClassName: "" }, noName],
  ["an odd class", "spec.bucketClassName", { bucketClassName: "Gold" }, noName],
  ["too long a class", "spec.bucketClassName", { bucketClassName: `${long}a` }, tooLong],
  ["no Secret", "spec.secretName", { secretName: undefined }, /Required value/],
  ["an odd Secret", "spec.secretName", { secretName: "photos/keys" }, noName],
  ["too long a Secret", "spec.secretName", { secretName: `${long}a` }, tooLong],
  ["a prefix no bucket can have", "spec.bucketPrefix", { bucketPrefix: "photos_" }, noPrefix],
  ["a prefix that begins with a dash", "spec.bucketPrefix", { bucketPrefix: "-photos" }, noPrefix],
  ["a prefix with two dots in a row", "spec.bucketPrefix", { bucketPrefix: "a..b" }, noPrefix],
  ["a prefix of other letters", "spec.bucketPrefix", { bucketPrefix: "bücher" }, noPrefix],
  ["too long a prefix", "spec.bucketPrefix", { bucketPrefix: `${long}a` }, tooLong],
];

const wrongContents: readonly Wrong[] = [
  ["no mode", "spec.mode", { mode: undefined }, /Required value/],
  ["an unknown mode", "spec.mode", { mode: "Undefined" }, /supported values: "Greenfield", "Brownfield", "Static"/],
  ["no driver", "spec", { provisioner: undefined }, /every other one has one/],
  ["keys and a driver", "spec", { mode: "Static", releasePolicy: "Retain", secretRef }, /has no provisioner/],
  [
    "keys that nobody names",
    "spec",
    { mode: "Static", releasePolicy: "Retain", provisioner: undefined },
    /of the mode Static needs secretRef/,
  ],
  ["a bucket that nobody names", "spec", { mode: "Brownfield", releasePolicy: "Retain" }, /needs bucketIdentifier/],
  [
    "the end of a bucket that was there",
    "spec",
    { mode: "Brownfield", bucketIdentifier: "a" },
    /A bucket that was there before is never deleted\. Set releasePolicy to Retain/,
  ],
  [
    "a name for a bucket that has one",
    "spec",
    { mode: "Brownfield", bucketIdentifier: "a", releasePolicy: "Retain", bucketName: "b" },
    /Only a content of the mode Greenfield has bucketName/,
  ],
  ["no Bucket", "spec.bucketRef", { bucketRef: undefined }, /Required value/],
  ["half a Bucket", "spec.bucketRef.uuid", { bucketRef: { ...ref, uuid: undefined } }, /Required value/],
  ["half a uid", "spec.bucketRef.uuid", { bucketRef: { ...ref, uuid: "1234" } }, /This is no uid\. Copy metadata\.uid/],
  ["an odd namespace", "spec.bucketRef.namespace", { bucketRef: { ...ref, namespace: "A" } }, noNamespace],
  ["half a Secret", "spec.secretRef.namespace", { secretRef: { name: "a" } }, /Required value/],
  ["an unknown access", "spec.accessModes[0]", { accessModes: ["all"] }, /supported values: "ro", "wo", "rw"/],
];

const driver = "s3.kinds.test.portway.dev";
const wrongRegistrations: readonly Wrong[] = [
  ["another driver's name", "<nil>", { driverName: "other", leaseName: "cosi-other" }, /is called like its driver/],
  ["another's Lease", "spec", { leaseName: "portway-buckets" }, /leaseName must be cosi- and the name of the driver/],
  ["nobody behind it", "spec.instanceID", { instanceID: "" }, /should be at least 1 chars long/],
  ["no protocol", "spec.wire", { wire: [] }, /should have at least 1 items/],
  ["an odd namespace", "spec.namespace", { namespace: "a.b" }, noNamespace],
];

function refuses<T extends KubeObject>(
  kind: Resource<T>,
  cases: readonly Wrong[],
  make: (namespace: string, spec: object) => T,
): void {
  for (const [says, field, spec, answer] of cases)
    test(`a ${kind.kind} with ${says} is refused with a sentence, and nothing is stored`, async (t) => {
      const wish = make(await newNamespace(t, admin), spec);
      const refusal = await refusalOf(admin.create(kind, wish));
      deepEqual([refusal.code, blamedFields(refusal).includes(field)], [422, true], refusal.message);
      match(refusal.message, answer);
      const { namespace, name = "" } = wish.metadata;
      equal(await admin.find(kind, { name, ...(namespace === undefined ? {} : { namespace }) }), undefined);
    });
}

refuses(buckets, wrongBuckets, aBucket);
refuses(bucketContents, wrongContents, (_, spec) => aContent(spec));
refuses(cosiRegistrations, wrongRegistrations, (_, spec) => aRegistration(driver, spec));

test("the spec of a Bucket never changes, whatever is added, taken away or changed; its labels do", async (t) => {
  const key = keyOf(await admin.create(buckets, aBucket(await newNamespace(t, admin), { bucketPrefix: "a-" })));
  const bare = keyOf(await admin.create(buckets, aBucket(await newNamespace(t, admin))));
  await admin.merge(buckets, key, { metadata: { labels: { team: "a" } } });
  for (const [at, spec] of [
    [key, { bucketClassName: "silver" }],
    [key, { secretName: "other" }],
    [key, { bucketPrefix: "b-" }],
    [key, { bucketPrefix: null }],
    [bare, { bucketPrefix: "a-" }],
  ] as const) {
    const refusal = await refusalOf(admin.merge(buckets, at, { spec }));
    equal(refusal.code, 422);
    match(refusal.message, /The spec of a Bucket never changes\. Write another Bucket\./);
  }
});

test("of a content the keys and the bucket are filled in once, Delete may become Retain, and nothing else changes", async (t) => {
  const full = { accessModes: ["ro"], supportedProtocols: ["s3"], bucketName: "a", parameters: { a: "b" } };
  const key = keyOf(await newContent(t, admin, full));
  const bare = keyOf(await newContent(t, admin));
  const change = (at: typeof key, spec: object) => admin.merge(bucketContents, at, { spec });
  const refusals: readonly (readonly [typeof key, object, RegExp])[] = [
    [key, { mode: "Brownfield", bucketIdentifier: "a" }, /The mode of a content never changes/],
    [key, { provisioner: "other" }, /provisioner of a content never changes/],
    [key, { bucketClassName: "other" }, /bucketClassName of a content never changes/],
    [key, { bucketRef: { name: "other" } }, /bucketRef of a content never changes/],
    [key, { bucketRef: { resourceVersion: "7" } }, /bucketRef of a content never changes/],
    [key, { accessModes: ["rw"] }, /accessModes of a content never change/],
    [key, { accessModes: null }, /accessModes of a content never change/],
    [bare, { accessModes: ["rw"] }, /accessModes of a content never change/],
    [key, { supportedProtocols: null }, /supportedProtocols of a content never change/],
    [bare, { supportedProtocols: ["s3"] }, /supportedProtocols of a content never change/],
    [key, { bucketName: "b" }, /bucketName of a content never changes/],
    [key, { bucketName: null }, /bucketName of a content never changes/],
    [bare, { bucketName: "b" }, /bucketName of a content never changes/],
    [key, { parameters: { a: "c" } }, /parameters of a content never change/],
    [key, { parameters: { a: null } }, /parameters of a content never change/],
    [bare, { parameters: { a: "c" } }, /parameters of a content never change/],
  ];
  for (const [at, spec, answer] of refusals) match((await refusalOf(change(at, spec))).message, answer);
  await change(key, { secretRef, bucketIdentifier: "id" });
  await change(key, { releasePolicy: "Retain" });
  for (const [spec, answer] of [
    [{ releasePolicy: "Delete" }, /releasePolicy may become Retain, and never Delete/],
    [{ secretRef: { name: "other" } }, /secretRef of a content is filled in once, and never changes/],
    [{ secretRef: null }, /secretRef of a content is filled in once, and never changes/],
    [{ bucketIdentifier: "other" }, /bucketIdentifier of a content is filled in once, and never changes/],
    [{ bucketIdentifier: null }, /bucketIdentifier of a content is filled in once, and never changes/],
  ] as const)
    match((await refusalOf(change(key, spec))).message, answer);
  const { spec } = await admin.get(bucketContents, key);
  deepEqual([spec.releasePolicy, spec.secretRef, spec.bucketIdentifier], ["Retain", secretRef, "id"]);
});
