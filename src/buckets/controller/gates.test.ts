import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { aClass, classFields, provisioner } from "../../../test/fixture/bucket-seen.ts";
import { objectionTo } from "./gates.ts";

for (const [mode, fields] of Object.entries(classFields))
  test(`nothing is wrong with a ${mode} class`, () => equal(objectionTo(aClass(fields)), undefined));

test("nothing is wrong with limits, formats and parameters that somebody can keep", () => {
  const parameters = { maxSizePerBucket: "10Gi", maxObjectsPerBucket: "1k", "cosi.io/secret-format": "flat,aws" };
  equal(objectionTo(aClass({ provisioner, parameters })), undefined);
});

const cases: readonly (readonly [says: string, fields: Parameters<typeof aClass>[0], why: string, words: RegExp])[] = [
  [
    "means two things at once",
    { bucketIdentifier: "films", secretRef: classFields.Static.secretRef },
    "BucketClassUndefined",
    /bucketIdentifier and secretRef/,
  ],
  [
    "wants its Secrets in a format that nobody knows",
    { provisioner, parameters: { "cosi.io/secret-format": "xml" } },
    "ParameterUnfit",
    /"xml"; it takes a list of flat/,
  ],
  [
    "has a limit that is no quantity",
    { provisioner, parameters: { maxSizePerBucket: "big" } },
    "ParameterUnfit",
    /maxSizePerBucket is "big"/,
  ],
  [
    "has a limit of nothing",
    { provisioner, parameters: { maxObjectsPerBucket: "0" } },
    "ParameterUnfit",
    /maxObjectsPerBucket/,
  ],
  [
    "limits a bucket that was there before",
    { ...classFields.Brownfield, parameters: { maxSizePerBucket: "1Gi" } },
    "QuotaUnsupported",
    /keeps the limits that it has/,
  ],
  [
    "limits keys that were there before",
    { ...classFields.Static, parameters: { maxObjectsPerBucket: "5" } },
    "QuotaUnsupported",
    /keeps the limits that it has/,
  ],
];

for (const [says, fields, why, words] of cases)
  test(`a class that ${says} is refused by its name, before anything is made`, () => {
    const found = objectionTo(aClass(fields));
    deepEqual(found?.why, why);
    match(found?.detail ?? "", /^The BucketClass gold cannot be used: .*\.$/);
    match(found?.detail ?? "", words);
  });
