import { equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { driversWords } from "./drivers-words.ts";

const secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

test("keys that are known are never quoted", () => {
  equal(
    driversWords("the user AK1 has hunter2 already", ["AK1", "hunter2", ""]),
    "the user ***stripped*** has ***stripped*** already",
  );
});

const quoted: readonly (readonly [says: string, words: string, secret: string])[] = [
  ["in an address", "dial https://root:hunter2@store:7070: refused", "hunter2"],
  ["in a header", "Authorization: AWS4-HMAC-SHA256 was sent as Bearer abcdefgh1234", "abcdefgh1234"],
  ["as a parameter", "GET /?X-Amz-Signature=0a1b2c3d: 403", "0a1b2c3d"],
  ["as a field", 'body {"accessSecretKey":"hunter2","user":"a"}', "hunter2"],
  ["as a setting", "bad setting ROOT_PASSWORD=hunter2", "hunter2"],
  ["by itself", `cannot use ${secret} here`, secret],
  ["over several lines", `secret_key:\n ${secret}`, secret],
];

for (const [says, words, secret] of quoted)
  test(`a secret ${says} is not told, and the rest is`, () => {
    const told = driversWords(words, []);
    ok(!told.includes(secret), told);
    ok(told.includes(words.split(/[\s:]/)[0] ?? ""), told);
  });

const helpful = [
  "CreateBucket: BucketAlreadyExists: photos-0b5a1f3e-9c1d-4a57-8f0e-2d6b3c4a5e6f (ALREADY_EXISTS)",
  "request id 17A4C5D6E7F80912, host store-7.example.com:7070",
  "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "the account ba-7c2d9e10-1111-4222-8333-444455556666-g0 has access mode ro",
];

for (const words of helpful) test(`"${words}" is told as it is`, () => equal(driversWords(words, []), words));

test("nothing endless is told, and nothing that a terminal would obey", () => {
  equal(driversWords("x".repeat(5000), []).length, 1001);
  equal(driversWords("red \u001b[31malert\u0000\n done ", []), "red  [31malert  done");
});
