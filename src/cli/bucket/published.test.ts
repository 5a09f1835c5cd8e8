import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { type Credentials, formatsIn, secretData, secretFormatParameter } from "../../api/buckets/secret-keys.ts";
import { credentialsOf } from "./published.ts";

const whole: Credentials = {
  endpoint: "https://store.example:9000",
  region: "eu-1",
  protocol: "s3",
  bucketName: "photos-1",
  accessKeyID: "id",
  accessSecretKey: "a/b+c=",
};
/** A class that asks for a format that is not there is told all that are. */
const unclear = formatsIn({ [secretFormatParameter]: "?" });
const formats = unclear.is === "unclear" ? (/list of (.*)$/.exec(unclear.why)?.[1] ?? "").split(", ") : [];

test("there are formats to be read", () => {
  equal(formats.length >= 4, true, formats.join());
});

for (const format of formats) {
  test(`the keys are read from a Secret that is written as ${format}`, () => {
    const wanted = formatsIn({ [secretFormatParameter]: format });
    const data = secretData(whole, wanted.is === "clear" ? wanted.formats : []);
    const { protocol, ...rest } = credentialsOf(data) ?? {};
    const { protocol: _, ...expected } = whole;
    deepEqual(rest, expected);
    // AWS's own words have none for a protocol.
    equal(protocol, format === "aws" ? undefined : "s3");
  });
}

test("the keys of a store without regions are read as well", () => {
  const { region: _, ...none } = whole;
  equal(credentialsOf(secretData(none, ["aws"]))?.region, undefined);
});

const inBase64 = (text: string) => Buffer.from(text).toString("base64");

const broken: readonly (readonly [says: string, data: Readonly<Record<string, string>>])[] = [
  ["is empty", {}],
  ["lacks the secret key", { ...secretData(whole, ["flat"]), accessSecretKey: "" }],
  ["has half of each format", { endpoint: inBase64("https://a"), AWS_ACCESS_KEY_ID: inBase64("id") }],
  ["has no document where one should be", { BucketInfo: inBase64("{secret") }],
  ["has a document that says nothing", { BucketInfo: inBase64("{}") }],
];

for (const [says, data] of broken) {
  test(`a Secret that ${says} has no keys`, () => {
    equal(credentialsOf(data), undefined);
  });
}
