import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { test } from "node:test";
import { isOurKeyID, keysOf } from "./derive-keys.ts";

const masterKey = new TextEncoder().encode("0123456789abcdef0123456789abcdef");

test("keys never change: whoever was granted them once has them for ever", () => {
  deepEqual(keysOf(masterKey, "photos", "ba-1-g0"), {
    accessKeyID: "PWTYKZ3T7BMQOD6URMZU",
    accessSecretKey: "FwWgD6ZWejiPytegsdEDP5zYv7zSMcXs3IdPq7zJ",
  });
});

test("another bucket, another account and another master key give other keys", () => {
  const all = [
    keysOf(masterKey, "photos", "one"),
    keysOf(masterKey, "photos", "two"),
    keysOf(masterKey, "letters", "one"),
    // What a careless joint of the two would take for the same.
    keysOf(masterKey, "photos-one", ""),
    keysOf(masterKey, "photos", '","one'),
    keysOf(new TextEncoder().encode("fedcba9876543210fedcba9876543210"), "photos", "one"),
  ];
  equal(new Set(all.map(({ accessKeyID }) => accessKeyID)).size, all.length);
  equal(new Set(all.map(({ accessSecretKey }) => accessSecretKey)).size, all.length);
});

test("an access key looks like one, says nothing of the secret, and is known as ours", () => {
  const { accessKeyID, accessSecretKey } = keysOf(masterKey, "photos", "one");
  match(accessKeyID, /^PW[A-Z2-7]{18}$/);
  match(accessSecretKey, /^[\w-]{40}$/);
  notEqual(accessKeyID.slice(2), accessSecretKey.slice(0, 18));
  equal(isOurKeyID(accessKeyID), true);
  for (const id of [
    "",
    "root",
    "AKIAIOSFODNN7EXAMPLE",
    `${accessKeyID}\n`,
    `${accessKeyID}A`,
    accessKeyID.toLowerCase(),
  ])
    equal(isOurKeyID(id), false, id);
});
