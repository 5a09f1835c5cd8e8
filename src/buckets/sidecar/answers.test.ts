import { deepEqual, equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { CreateBucketResponseSchema, GrantBucketAccessResponseSchema } from "../../rpc/gen/buckets_pb.js";
import { accessIn, accessOnCreate, madeIn, UnfitAnswer } from "./answers.ts";

const endpoint = {
  url: "https://store.example.com:9000/s3",
  region: "eu",
  protocol: "s3",
  bucketName: "films",
  pathStyle: true,
};
const credentials = { accessKeyID: "AK1", accessSecretKey: "the secret key" };
type Answer = NonNullable<Parameters<typeof create<typeof GrantBucketAccessResponseSchema>>[1]>;
const granted = (more: Answer = {}) =>
  create(GrantBucketAccessResponseSchema, { accountId: "AK1", endpoint, credentials, ...more } as Answer);
const made = (more: object = {}) => create(CreateBucketResponseSchema, { bucketId: "films", endpoint, ...more });

test("an answer that is complete is taken, and nothing besides it", () => {
  const further = { ...credentials, adminPassword: "whatever else the driver says" };
  deepEqual(accessIn(granted({ credentials: further })), { accountID: "AK1", endpoint, credentials });
  deepEqual(madeIn(made()), { id: "films" });
});

test("keys that come with the bucket are those of a grant", () => {
  deepEqual(accessOnCreate(made({ accountId: "AK1", credentials }), true), accessIn(granted()));
  equal(accessOnCreate(made(), true), undefined);
  equal(accessOnCreate(made(), false), undefined);
});

const long = "x".repeat(2049);
const unfit: readonly (readonly [says: string, answer: () => unknown, words: RegExp])[] = [
  ["a bucket without an id", () => madeIn(made({ bucketId: "" })), /bucket_id is empty/],
  ["a bucket with an endless id", () => madeIn(made({ bucketId: long })), /bucket_id is longer than 2048/],
  ["an account without an id", () => accessIn(granted({ accountId: "" })), /account_id is empty/],
  ["an account with an endless id", () => accessIn(granted({ accountId: long })), /account_id is longer/],
  ["no keys", () => accessIn(granted({ credentials: {} })), /lack accessKeyID, accessSecretKey/],
  ["half of the keys", () => accessIn(granted({ credentials: { accessKeyID: "AK1" } })), /lack accessSecretKey$/],
  ["an empty key", () => accessIn(granted({ credentials: { ...credentials, accessKeyID: "" } })), /lack accessKeyID$/],
  ["no endpoint", () => accessIn(granted({ endpoint: {} })), /no plain http or https address/],
  ["an endpoint that is none", () => accessIn(granted({ endpoint: { ...endpoint, url: "store" } })), /url/],
  ["an endpoint of another kind", () => accessIn(granted({ endpoint: { ...endpoint, url: "ftp://store" } })), /url/],
  [
    "an endpoint with a password",
    () => accessIn(granted({ endpoint: { ...endpoint, url: "https://root:hunter2@store" } })),
    /url/,
  ],
  [
    "an endpoint with a signature",
    () => accessIn(granted({ endpoint: { ...endpoint, url: "https://store/?X-Amz-Signature=abc" } })),
    /url/,
  ],
  [
    "an endpoint without a bucket",
    () => accessIn(granted({ endpoint: { ...endpoint, bucketName: "" } })),
    /bucket_name is empty/,
  ],
  [
    "an endless region",
    () => accessIn(granted({ endpoint: { ...endpoint, region: long } })),
    /region is longer than 253/,
  ],
  [
    "an endless protocol",
    () => accessIn(granted({ endpoint: { ...endpoint, protocol: "x".repeat(64) } })),
    /protocol is longer/,
  ],
  ["keys that nobody asked for", () => accessOnCreate(made({ accountId: "AK1", credentials }), false), /nobody asked/],
  ["an account without keys", () => accessOnCreate(made({ accountId: "AK1" }), true), /lack/],
];

for (const [says, answer, words] of unfit)
  test(`an answer with ${says} cannot be used, and no secret is in what is said of it`, () => {
    throws(answer, (problem: Error) => {
      equal(problem instanceof UnfitAnswer && words.test(problem.message), true, problem.message);
      equal(/hunter2|the secret key|abc$/.test(problem.message), false);
      return true;
    });
  });
