import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { Capability } from "../../src/rpc/gen/buckets_pb.js";
import { defaultBucketSettings } from "../driver/bucket.ts";
import { bucketInventory } from "../driver/bucket-inventory.ts";
import { bucketWorld } from "../driver/place.ts";
import { portway } from "../fixture/portway.ts";
import { reportOn } from "./conformance-report.ts";
import { lies, newKeysEachTime } from "./driver-lies.ts";

const { capabilities } = defaultBucketSettings;
const honest: readonly (readonly [says: string, capabilities: readonly Capability[]])[] = [
  ["all it can", capabilities],
  ["nothing of what is optional", []],
  ["that it grants when it creates", [...capabilities, Capability.GRANTS_ON_CREATE]],
];

for (const [says, capabilities] of honest) {
  test(`an honest driver that announces ${says} passes, and nothing is left in it`, async (t) => {
    const { place } = await bucketWorld(t, { capabilities });
    const { code, failed } = await reportOn(place.socket, { asksStore: false });
    deepEqual([code, failed], [0, []]);
    const { buckets, accounts } = bucketInventory(place.state).read();
    deepEqual([buckets, accounts], [{}, {}]);
  });
}

for (const [says, settings, failing] of lies) {
  test(`a driver that ${says} fails where that matters, and nowhere else`, async (t) => {
    const { place } = await bucketWorld(t, settings);
    const { code, failed } = await reportOn(place.socket, { asksStore: false });
    deepEqual(
      failed.map(({ name }) => name),
      failing,
    );
    equal(code, 1);
    for (const { expected, came, next } of failed) ok(expected !== "" && came !== "" && next !== "");
  });
}

test("a check that fails says what was expected, what came and what to do, and tells no key", async (t) => {
  const { place } = await bucketWorld(t, newKeysEachTime);
  const words = ["cosi-conformance", "--without-store", `--driver-address=${place.socket}`];
  const { code, stdout } = await portway(t, words);
  equal(code, 1);
  match(stdout, /^scripted\.cosi\.portway\.dev 1 \(s3, ACCESS_MODES, QUOTA, PURGE\)$/m);
  match(stdout, /^ok {4}info-is-stable +The driver says the same of itself whenever it is asked\.$/m);
  match(stdout, /^- {5}keys-work .* Not tried: --without-store\.$/m);
  const [, expected, came, next] = failure.exec(stdout) ?? [];
  deepEqual([expected, came], ["the same credentials from a repeated GrantBucketAccess", "another credentials"]);
  match(next ?? "", /^Derive the keys from the account's name/);
  match(stdout, /^27 checks: 25 ok, 2 failed; 12 not tried$/m);
  ok(!/AK[0-9A-F]{16}|AKOTHER/.test(stdout));
});

const failure = /^FAIL {2}grant-is-idempotent .*\n {6}expected {2}(.*)\n {6}came {6}(.*)\n {6}next {6}(.*)$/m;

const misuses: readonly (readonly [words: readonly string[], says: RegExp])[] = [
  [["--driver-address=tcp://10.0.0.1:9000"], /10\.0\.0\.1:9000 is not on this machine/],
  [["--driver-address=unix:///nowhere/cosi.sock", "--timeout=200ms"], /no bucket driver answers at unix:\/\/\/nowhere/],
  [["-o", "yaml"], /-o yaml is not known here/],
  [["--parameter=region"], /--parameter=region has no "="/],
  [["--timeout=soon"], /--timeout is no duration: "soon"/],
];

test("what cannot be tried at all is said in two lines, with exit code 2", async (t) => {
  for (const [words, says] of misuses) {
    const { code, stdout, stderr } = await portway(t, ["cosi-conformance", ...words]);
    deepEqual([code, stdout], [2, ""], words.join(" "));
    match(stderr, says);
    equal(stderr.trim().split("\n").length, 2);
  }
});
