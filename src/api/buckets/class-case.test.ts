import { deepEqual, equal } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, constantFrom, option, property, record } from "fast-check";
import { load } from "js-yaml";
import type { BucketClass } from "../gen/cosi.ts";
import { caseOf, undefinedBecause } from "./class-case.ts";

const provisioner = "s3.portway.dev";
const secretRef = { name: "keys", namespace: "vault" };
const aClass = (fields: Omit<BucketClass, "metadata">): BucketClass => ({ metadata: { name: "gold" }, ...fields });

test("a class with a driver alone makes a new bucket, and keeps it unless it says otherwise", () => {
  deepEqual(caseOf(aClass({ provisioner })), { is: "Greenfield", provisioner, releasePolicy: "Retain" });
  deepEqual(caseOf(aClass({ provisioner, releasePolicy: "Delete" })), {
    is: "Greenfield",
    provisioner,
    releasePolicy: "Delete",
  });
});

test("a class with an identifier makes keys to that bucket, by either name of the field", () => {
  const brownfield = { is: "Brownfield", provisioner, bucketIdentifier: "photos", releasePolicy: "Retain" };
  deepEqual(caseOf(aClass({ provisioner, bucketIdentifier: "photos" })), brownfield);
  deepEqual(caseOf(aClass({ provisioner, objectBucketName: "photos" })), brownfield);
  deepEqual(caseOf(aClass({ provisioner, bucketIdentifier: "photos", objectBucketName: "photos" })), brownfield);
});

test("a class with a Secret hands out its keys, and an empty provisioner is none", () => {
  deepEqual(caseOf(aClass({ secretRef })), { is: "Static", secretRef, releasePolicy: "Retain" });
  deepEqual(caseOf(aClass({ secretRef, provisioner: "" })), { is: "Static", secretRef, releasePolicy: "Retain" });
});

const nothing: readonly (readonly [says: string, why: keyof typeof undefinedBecause, Omit<BucketClass, "metadata">])[] =
  [
    ["an identifier and a Secret", "both", { bucketIdentifier: "photos", secretRef }],
    ["an identifier, a Secret and a driver", "both", { bucketIdentifier: "photos", secretRef, provisioner }],
    ["an identifier by its old name and a Secret", "both", { objectBucketName: "photos", secretRef }],
    ["nothing", "servedByNobody", {}],
    ["an identifier alone", "servedByNobody", { bucketIdentifier: "photos" }],
    ["an empty driver", "servedByNobody", { provisioner: "" }],
    ["a driver and a Secret", "servedByNobody", { provisioner, secretRef }],
    [
      "a bucket that exists, to be deleted",
      "wouldDelete",
      { provisioner, bucketIdentifier: "p", releasePolicy: "Delete" },
    ],
    ["keys that exist, to be deleted", "wouldDelete", { secretRef, releasePolicy: "Delete" }],
    ["two identifiers", "twoIdentifiers", { provisioner, bucketIdentifier: "photos", objectBucketName: "films" }],
  ];

for (const [says, why, fields] of nothing) {
  test(`a class with ${says} means nothing`, () => {
    deepEqual(caseOf(aClass(fields)), { is: "Undefined", why: undefinedBecause[why] });
  });
}

test("no class that means something deletes a bucket that was there before", () => {
  const maybe = <T extends string>(...values: readonly T[]) => option(constantFrom(...values), { nil: undefined });
  const fields = record({
    provisioner: maybe("", provisioner),
    bucketIdentifier: maybe("", "photos"),
    objectBucketName: maybe("", "photos", "films"),
    releasePolicy: maybe("Delete", "Retain"),
    secretRef: option(constantFrom(secretRef), { nil: undefined }),
  });
  assert(
    property(fields, (written) => {
      const found = caseOf(aClass(JSON.parse(JSON.stringify(written)) as Omit<BucketClass, "metadata">));
      if (found.is === "Undefined" || found.releasePolicy === "Retain") return;
      equal(found.is, "Greenfield");
      equal((written.bucketIdentifier ?? "") + (written.objectBucketName ?? ""), "");
      equal(written.secretRef, undefined);
    }),
    { numRuns: 500 },
  );
});

interface Crd {
  readonly spec: {
    readonly versions: readonly {
      readonly schema: {
        readonly openAPIV3Schema: { readonly "x-kubernetes-validations": readonly { readonly message: string }[] };
      };
    }[];
  };
}

test("the server gives the same four reasons in the same words", async () => {
  const path = new URL("../../../deploy/crds/bucketclasses.yaml", import.meta.url);
  const crd = load(await readFile(path, "utf8")) as Crd;
  const rules = crd.spec.versions[0]?.schema.openAPIV3Schema["x-kubernetes-validations"] ?? [];
  const messages = new Set(rules.map(({ message }) => message));
  deepEqual(
    Object.values(undefinedBecause).filter((why) => !messages.has(why)),
    [],
  );
});
