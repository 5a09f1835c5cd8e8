import { deepEqual, equal, throws } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Failure } from "../../api/failure.ts";
import { bundleOf, covers, dataOf, editionOf, keyringIn } from "./keyring.ts";
import { selfSigned } from "./self-signed.ts";

const names = ["portway-webhook.portway-system.svc", "127.0.0.1"];
const lasting = (until: string) =>
  editionOf(selfSigned({ names, notBefore: new Date("2026-01-01T00:00:00Z"), notAfter: new Date(until) }));
const [current, next] = [lasting("2026-04-01T00:00:00Z"), lasting("2026-07-01T00:00:00Z")];
const { key: _, ...previous } = lasting("2026-02-01T00:00:00Z");
const keyring = { current, next, previous };
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("what is stored is read again as it was", () => {
  deepEqual(keyringIn({ data: dataOf(keyring) }), keyring);
  deepEqual(keyringIn({ data: dataOf({ current }) }), { current });
});

test("a Secret of the first version is read for ever; its certificates were made for this test and are long over", async () => {
  const file = join(import.meta.dirname, "../../../test/admission/golden/secret-v1.json");
  const { data } = JSON.parse(await readFile(file, "utf8")) as { data: Record<string, string> };
  const found = keyringIn({ data });
  const years = [found.previous, found.current, found.next].map((one) => one?.notAfter.getUTCFullYear());
  deepEqual(years, [2020, 2021, 2022]);
  deepEqual(dataOf(found), data, "and would be written again as it is");
});

const damaged: readonly (readonly [says: string, data: Record<string, string>])[] = [
  ["an empty Secret", {}],
  ["a certificate without its key", { "tls.crt": base64(current.certificate) }],
  ["a certificate with another's key", { "tls.crt": base64(current.certificate), "tls.key": base64(next.key) }],
  ["nonsense", { "tls.crt": "AAAA", "tls.key": "%%", "previous.crt": base64("nothing") }],
];

for (const [says, data] of damaged) {
  test(`${says} has nothing to serve`, () => deepEqual(keyringIn({ data }), {}));
}

test("a Secret of a newer version is left alone", () => {
  throws(() => keyringIn({ data: { ...dataOf(keyring), v: base64("2") } }), Failure);
});

test("everything that is not over is trusted", () => {
  const trusted = (now: string) => Buffer.from(bundleOf(keyring, new Date(now)), "base64").toString();
  const all = [current, next, previous].map(({ certificate }) => certificate);
  equal(trusted("2026-01-15T00:00:00Z"), all.join(""));
  equal(trusted("2026-03-01T00:00:00Z"), all.slice(0, 2).join(""));
});

test("a certificate covers its own names and no others", () => {
  equal(covers(current, names), true);
  equal(covers(current, [...names, "127.0.0.2"]), false);
  equal(covers(current, ["elsewhere.svc"]), false);
});
