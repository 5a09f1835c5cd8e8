import { deepEqual, equal, ok } from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { test } from "node:test";
import * as der from "./der.ts";
import { selfSigned } from "./self-signed.ts";

const names = ["portway-webhook.portway-system.svc", "localhost", "127.0.0.1"];
const wish = { names, notBefore: new Date("2026-01-01T00:00:00Z"), notAfter: new Date("2051-02-03T04:05:06Z") };

test("it can be read, says what was wished for, and is signed by its own key", () => {
  const { certificate, key } = selfSigned(wish);
  const parsed = new X509Certificate(certificate);
  deepEqual([parsed.validFromDate, parsed.validToDate], [wish.notBefore, wish.notAfter]);
  equal(parsed.checkHost("portway-webhook.portway-system.svc"), "portway-webhook.portway-system.svc");
  equal(parsed.checkIP("127.0.0.1"), "127.0.0.1");
  equal(parsed.checkHost("portway-webhook.elsewhere.svc"), undefined);
  equal(parsed.ca, false, "it vouches for no other");
  deepEqual(parsed.keyUsage, ["1.3.6.1.5.5.7.3.1"], "for servers only");
  ok(parsed.verify(parsed.publicKey));
  ok(parsed.checkPrivateKey(createPrivateKey(key)));
});

test("no two are alike", () => {
  const [one, other] = [
    new X509Certificate(selfSigned(wish).certificate),
    new X509Certificate(selfSigned(wish).certificate),
  ];
  ok(one.serialNumber !== other.serialNumber);
  ok(!one.verify(other.publicKey));
});

test("whatever the serial number, it is read", () => {
  for (let n = 0; n < 64; n++) equal(new X509Certificate(selfSigned(wish).certificate).ca, false);
});

const values: readonly (readonly [says: string, bytes: Buffer, hex: string])[] = [
  ["a small number", der.integer(Buffer.of(2)), "020102"],
  ["a number that would look negative", der.integer(Buffer.of(0x80)), "02020080"],
  ["a number with zeros before it", der.integer(Buffer.of(0, 0, 1)), "020101"],
  ["zero", der.integer(Buffer.of(0, 0)), "020100"],
  ["an identifier with large parts", der.objectIdentifier("1.2.840.10045.4.3.2"), "06082a8648ce3d040302"],
  [
    "a date before 2050",
    der.time(new Date("2049-12-31T23:59:59Z")),
    `170d${Buffer.from("491231235959Z").toString("hex")}`,
  ],
  [
    "a date after it",
    der.time(new Date("2050-01-01T00:00:00Z")),
    `180f${Buffer.from("20500101000000Z").toString("hex")}`,
  ],
];

for (const [says, bytes, hex] of values) {
  test(`${says} is written as the format demands`, () => equal(bytes.toString("hex"), hex));
}

test("lengths take as few bytes as possible", () => {
  const start = (length: number) => der.octets(Buffer.alloc(length)).subarray(0, 4).toString("hex");
  deepEqual([127, 128, 255, 256].map(start), ["047f0000", "04818000", "0481ff00", "04820100"]);
});
