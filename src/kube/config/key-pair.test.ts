import { deepEqual, throws } from "node:assert/strict";
import { test } from "node:test";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import { failure, secret } from "../../../test/fixture/configuration.ts";
import { keyPair } from "./key-pair.ts";

const [ours, theirs] = [testCertificate(), testCertificate()];

test("a certificate and its key are a pair", () => {
  deepEqual(keyPair(ours.certificate, ours.key, "alice"), ours);
});

test("a certificate and another's key are none", () => {
  throws(() => keyPair(ours.certificate, theirs.key, "alice"), failure(/of alice do not belong together/));
});

test("what is no certificate is refused", () => {
  throws(() => keyPair(secret, ours.key, "alice"), failure(/client certificate of alice is not a certificate in PEM/));
});

test("what is no key is refused", () => {
  throws(() => keyPair(ours.certificate, secret, "alice"), failure(/client key of alice is not an unencrypted key/));
});
