import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { test } from "node:test";
import { assert, constantFrom, integer, property, string, uuid } from "fast-check";
import {
  accountName,
  contentName,
  leaseName,
  provisionerLabel,
  provisionerLabels,
  sourceSecretName,
  storeBucketName,
} from "./names.ts";

const uid = "0b5a1f3e-9c1d-4a57-8f0e-2d6b3c4a5e6f";
const labelOf = (provisioner: string) => provisionerLabels(provisioner)[provisionerLabel];

test("the names that are stored are these, to the letter", () => {
  equal(contentName("gold", uid), `gold-${uid}`);
  equal(storeBucketName("YosemitePhotos-", uid), `yosemitephotos-${uid}`);
  equal(sourceSecretName(uid), `cosi-${uid}`);
  equal(accountName(uid, 0), `ba-${uid}-g0`);
  equal(leaseName("s3.portway.dev"), "cosi-s3.portway.dev");
  deepEqual(provisionerLabels("s3.portway.dev"), { "cosi.io/provisioner": "s3.portway.dev" });
  equal(contentName("c".repeat(217), uid), `${"c".repeat(207)}-fd85a3b9-${uid}`);
});

test("a character that no label may have becomes a dash, and the ends are trimmed", () => {
  equal(labelOf("rook.io/bucket"), "rook.io-bucket");
  equal(labelOf("/ceph:rgw/"), "ceph-rgw");
  equal(labelOf("a😀b"), "a-b");
});

test("what has no driver has no label, and neither has a name of which nothing is left", () => {
  deepEqual(provisionerLabels(undefined), {});
  deepEqual(provisionerLabels("///"), {});
});

test("long drivers that begin alike have labels of their own", () => {
  const [one, other] = [labelOf(`${"d".repeat(70)}1`), labelOf(`${"d".repeat(70)}2`)];
  notEqual(one, other);
  match(one ?? "", /^d{54}-[0-9a-f]{8}$/);
  equal(labelOf("d".repeat(63)), "d".repeat(63));
});

test("any driver's label is one that the server takes", () => {
  assert(
    property(string({ unit: "binary", maxLength: 200 }), (provisioner) => {
      const value = labelOf(provisioner);
      if (value !== undefined) match(value, /^(?=.{1,63}$)[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/);
    }),
  );
});

const part = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
const subdomain = new RegExp(`^(?=.{1,253}$)${part}(\\.${part})*$`);
/** Where the cut falls decides what the name ends with there, so every length near it counts. */
const className = property(
  integer({ min: 1, max: 84 }),
  constantFrom("a-b", "a.b", "a--b"),
  constantFrom("", "x", "xy", "xyz"),
  uuid(),
  (times, unit, end, bucketUid) => {
    const name = contentName(`${unit.repeat(times)}${end}`.slice(0, 253).replace(/[.-]+$/, ""), bucketUid);
    match(name, subdomain);
    ok(name.endsWith(bucketUid));
  },
);

test("any class gives a content a legal name that ends with the uid of its Bucket", () => {
  assert(className, { numRuns: 500 });
});

test("long classes that begin alike have contents of their own for the same Bucket", () => {
  notEqual(contentName(`${"c".repeat(230)}1`, uid), contentName(`${"c".repeat(230)}2`, uid));
  equal(contentName("c".repeat(216), uid).length, 253);
});

test("any prefix that a Bucket may have gives a bucket a name that stores take", () => {
  assert(
    property(string({ unit: constantFrom("a", "Z", "9", "-", "."), maxLength: 60 }), uuid(), (written, bucketUid) => {
      const prefix = written.replace(/^[.-]+/, "").replaceAll(/\.+/g, ".");
      const name = storeBucketName(prefix, bucketUid);
      match(name, /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/);
      ok(name.endsWith(bucketUid), "no part of the uid may be cut off");
    }),
  );
});

test("a Bucket without a prefix gives its uid alone", () => {
  equal(storeBucketName(undefined, uid), uid);
  equal(storeBucketName("", uid), uid);
});
