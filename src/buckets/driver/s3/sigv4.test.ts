import { equal } from "node:assert/strict";
import { test } from "node:test";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { encoded, encodedKey, signed, type Unsigned } from "./sigv4.ts";

const keys = { accessKeyID: "AKIAIOSFODNN7EXAMPLE", accessSecretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
const signer = { keys, region: "us-east-1", now: new Date("2013-05-24T00:00:00Z") };
const host = "https://examplebucket.s3.amazonaws.com";

/** The examples in Amazon's description of the signature. */
const published: readonly (readonly [says: string, request: Unsigned, signature: string])[] = [
  [
    "a part of an object",
    { method: "GET", url: new URL(`${host}/test.txt`), headers: { range: "bytes=0-9" } },
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  ],
  [
    "a new object",
    {
      method: "PUT",
      url: new URL(`${host}/${encodedKey("test$file.text")}`),
      headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      body: "Welcome to Amazon S3.",
    },
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  ],
  [
    "a question without a value",
    { method: "GET", url: new URL(`${host}/?lifecycle`) },
    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  ],
  [
    "a list",
    { method: "GET", url: new URL(`${host}/?max-keys=2&prefix=J`) },
    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  ],
];

for (const [says, request, signature] of published) {
  test(`${says} is signed as in Amazon's example`, () => {
    equal(/Signature=(\w+)$/.exec(signed(request, signer)["authorization"] ?? "")?.[1], signature);
  });
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What the official client would send; nothing leaves this process. */
async function sentBy(send: (s3: S3Client) => Promise<unknown>): Promise<Sent> {
  const s3 = new S3Client({
    endpoint: "http://127.0.0.1:7070",
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    requestChecksumCalculation: "WHEN_REQUIRED",
    credentials: { accessKeyId: keys.accessKeyID, secretAccessKey: keys.accessSecretKey },
  });
  const { promise, resolve } = Promise.withResolvers<Sent>();
  const stop = new Error("seen");
  s3.middlewareStack.add(
    () =>
      async ({ request }) => {
        resolve(request as Sent);
        throw stop;
      },
    { step: "finalizeRequest", priority: "low" },
  );
  await send(s3).catch((problem: unknown) => {
    if (problem !== stop) throw problem;
  });
  s3.destroy();
  return await promise;
}

const Bucket = "photos";
const Key = "ä folder/with (odd) *signs*!'~+&=.txt";
const asked: readonly (readonly [says: string, send: (s3: S3Client) => Promise<unknown>])[] = [
  ["a read of an odd key", (s3) => s3.send(new GetObjectCommand({ Bucket, Key }))],
  ["a list with an odd prefix", (s3) => s3.send(new ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 7 }))],
  ["a write", (s3) => s3.send(new PutObjectCommand({ Bucket, Key, Body: "hello ä" }))],
  ["a delete of a version", (s3) => s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId: "a/b+c=" }))],
  ["a policy", (s3) => s3.send(new PutBucketPolicyCommand({ Bucket, Policy: '{"Statement":[]}' }))],
];
const ownHeaders = ["host", "x-amz-date", "x-amz-content-sha256"];

for (const [says, send] of asked) {
  test(`${says} is signed as the official client signs it`, async () => {
    const { method, path, query, headers, body } = await sentBy(send);
    const names = /SignedHeaders=([^,]+)/.exec(headers["authorization"] ?? "")?.[1]?.split(";") ?? [];
    const further = names.filter((name) => !ownHeaders.includes(name)).map((name) => [name, headers[name] ?? ""]);
    const words = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
    const time = headers["x-amz-date"] ?? "";
    const now = new Date(time.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, "$1-$2-$3T$4:$5:$6Z"));
    const url = new URL(`http://127.0.0.1:7070${path}?${words.join("&")}`);
    const signedHeaders = Object.fromEntries(further) as Readonly<Record<string, string>>;
    const request = { method, url, headers: signedHeaders, ...(body === undefined ? {} : { body }) };
    const ours = signed(request, { ...signer, now });
    equal(ours["x-amz-content-sha256"], headers["x-amz-content-sha256"]);
    equal(ours["authorization"], headers["authorization"]);
  });
}
