import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { credentialsIn, formatsIn, requiredKeys, secretData } from "./secret-keys.ts";

const encoded = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
const decoded = (data: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]));

const credentials = {
  endpoint: "https://store:9000",
  bucketName: "films",
  accessKeyID: "AK1",
  accessSecretKey: "sécret",
  region: "eu",
  protocol: "s3",
} as const;

test("a Secret with all keys is read, and what else is in it stays there", () => {
  const data = encoded({ ...credentials, "admin-password": "not for everybody" });
  deepEqual(credentialsIn(data), { is: "complete", credentials });
});

test("region and protocol may be left out", () => {
  const { region: _, protocol: __, ...least } = credentials;
  deepEqual(credentialsIn(encoded(least)), { is: "complete", credentials: least });
});

for (const key of requiredKeys)
  test(`a Secret without ${key}, or with an empty one, is not complete`, () => {
    const { [key]: _, ...rest } = encoded(credentials);
    deepEqual(credentialsIn(rest), { is: "incomplete", missing: [key] });
    deepEqual(credentialsIn({ ...rest, [key]: "" }), { is: "incomplete", missing: [key] });
  });

test("each format has the same credentials in the words of its readers", () => {
  deepEqual(decoded(secretData(credentials, ["flat"])), credentials);
  deepEqual(decoded(secretData(credentials, ["aws"])), {
    AWS_ACCESS_KEY_ID: "AK1",
    AWS_SECRET_ACCESS_KEY: "sécret",
    AWS_ENDPOINT_URL: "https://store:9000",
    AWS_REGION: "eu",
    BUCKET_NAME: "films",
  });
  deepEqual(decoded(secretData(credentials, ["cosi"], { pathStyle: false })), {
    COSI_PROTOCOL: "S3",
    COSI_S3_BUCKET_ID: "films",
    COSI_S3_ENDPOINT: "https://store:9000",
    COSI_S3_REGION: "eu",
    COSI_S3_ADDRESSING_STYLE: "virtual",
    COSI_S3_ACCESS_KEY_ID: "AK1",
    COSI_S3_ACCESS_SECRET_KEY: "sécret",
  });
  const { BucketInfo = "" } = decoded(secretData(credentials, ["bucketinfo"]));
  const { metadata, spec } = JSON.parse(BucketInfo) as { metadata: unknown; spec: Readonly<Record<string, unknown>> };
  deepEqual(metadata, { name: "films" });
  deepEqual(spec["secretS3"], {
    endpoint: "https://store:9000",
    region: "eu",
    accessKeyID: "AK1",
    accessSecretKey: "sécret",
  });
});

test("a region that nobody knows is left out, so that each reader takes its own default", () => {
  const { region: _, ...rest } = credentials;
  equal("AWS_REGION" in secretData(rest, ["aws"]), false);
});

test("no two formats share a key", () => {
  const all = (["flat", "aws", "cosi", "bucketinfo"] as const).map((format) =>
    Object.keys(secretData(credentials, [format])),
  );
  equal(new Set(all.flat()).size, all.flat().length);
  equal(Object.keys(secretData(credentials, ["flat", "aws", "cosi", "bucketinfo"])).length, all.flat().length);
});

test("a class says in which formats, and flat when it says nothing", () => {
  deepEqual(formatsIn(), { is: "clear", formats: ["flat"] });
  deepEqual(formatsIn({ "cosi.io/secret-format": "aws, flat,aws" }), { is: "clear", formats: ["aws", "flat"] });
});

for (const words of ["xml", "", "flat,", "AWS", "toString"])
  test(`"${words}" is no format that anybody knows`, () => {
    const found = formatsIn({ "cosi.io/secret-format": words });
    equal(found.is, "unclear");
  });
