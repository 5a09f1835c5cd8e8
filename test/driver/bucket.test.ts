import { deepEqual, equal, throws } from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { AccessMode, Capability } from "../../src/rpc/gen/buckets_pb.js";
import { Identity, Provisioner } from "../../src/rpc/gen/cosi_pb.js";
import { bucketDirectory, bucketInventory } from "./bucket-inventory.ts";
import { AccessDenied, accessTo, type Keys, QuotaExceeded } from "./bucket-store.ts";
import { bucketWorld, noFrom } from "./place.ts";

function keysIn(credentials: Readonly<Record<string, string>>): Keys {
  return {
    accessKeyID: credentials["accessKeyID"] ?? "",
    accessSecretKey: credentials["accessSecretKey"] ?? "",
  };
}

test("a bucket is made once, used with the keys of an account, and closed to them when they are revoked", async (t) => {
  const { buckets, place } = await bucketWorld(t);
  const { bucketId } = await buckets.createBucket({ name: "photos" });
  equal((await buckets.createBucket({ name: "photos" })).bucketId, bucketId);
  const grant = { bucketId, accountName: "alice" };
  const { accountId, credentials, endpoint } = await buckets.grantBucketAccess(grant);
  equal(endpoint?.bucketName, "photos");
  deepEqual((await buckets.grantBucketAccess(grant)).credentials, credentials, "a repeated grant has the same answer");

  const access = accessTo(place.state, bucketId, keysIn(credentials));
  access.put("cat", "meow");
  equal(access.get("cat"), "meow");
  await buckets.revokeBucketAccess({ bucketId, accountId });
  await buckets.revokeBucketAccess({ bucketId, accountId });
  throws(() => access.get("cat"), AccessDenied);
  const again = await buckets.grantBucketAccess(grant);
  throws(() => access.get("cat"), AccessDenied, "old keys stay dead when the account is granted again");
  equal(accessTo(place.state, bucketId, keysIn(again.credentials)).get("cat"), "meow");
});

test("an account whose id was never learnt is revoked by its name", async (t) => {
  const { buckets, place } = await bucketWorld(t);
  const { bucketId } = await buckets.createBucket({ name: "b" });
  const { credentials } = await buckets.grantBucketAccess({ bucketId, accountName: "alice" });
  await buckets.revokeBucketAccess({ bucketId, accountName: "alice" });
  throws(() => accessTo(place.state, bucketId, keysIn(credentials)).put("a", ""), AccessDenied);
});

test("whoever has lost every answer gives back bucket and account by their names", async (t) => {
  const { buckets, place } = await bucketWorld(t);
  const { bucketId } = await buckets.createBucket({ name: "b" });
  const { credentials } = await buckets.grantBucketAccess({ bucketId, accountName: "alice" });
  await buckets.revokeBucketAccess({ bucketName: "b", accountName: "alice" });
  throws(() => accessTo(place.state, bucketId, keysIn(credentials)).put("a", ""), AccessDenied);
  await buckets.deleteBucket({ name: "b" });
  deepEqual(bucketInventory(place.state).read().buckets, {});
});

test("a driver that can grants when it creates, and one that cannot says so", async (t) => {
  const capabilities = [Capability.GRANTS_ON_CREATE];
  const { buckets, place } = await bucketWorld(t, { capabilities });
  const asked = { name: "b", accountName: "alice" };
  const { bucketId, accountId, credentials } = await buckets.createBucket(asked);
  accessTo(place.state, bucketId, keysIn(credentials)).put("a", "1");
  const granted = await buckets.grantBucketAccess({ bucketId, accountName: "alice" });
  deepEqual([granted.accountId, granted.credentials], [accountId, credentials]);
  const poor = await bucketWorld(t);
  equal((await noFrom(poor.buckets.createBucket(asked))).code, "INVALID_ARGUMENT");
});

test("keys are limited to reading or writing, and to their own bucket", async (t) => {
  const { buckets, place } = await bucketWorld(t);
  const [one, other] = await Promise.all(["one", "other"].map((name) => buckets.createBucket({ name })));
  const bucketId = one?.bucketId ?? "";
  const keysFor = async (accountName: string, accessMode: AccessMode) =>
    keysIn((await buckets.grantBucketAccess({ bucketId, accountName, accessMode })).credentials);
  const writer = await keysFor("w", AccessMode.WRITE_ONLY);
  const reader = await keysFor("r", AccessMode.READ_ONLY);
  accessTo(place.state, bucketId, writer).put("a", "1");
  throws(() => accessTo(place.state, bucketId, writer).get("a"), AccessDenied);
  equal(accessTo(place.state, bucketId, reader).get("a"), "1");
  throws(() => accessTo(place.state, bucketId, reader).put("a", "2"), AccessDenied);
  throws(() => accessTo(place.state, other?.bucketId ?? "", reader).get("a"), AccessDenied);
});

test("a bucket that was there before is granted by its name", async (t) => {
  const { buckets, place } = await bucketWorld(t);
  const { bucketId } = await buckets.createBucket({ name: "old-photos" });
  const granted = await buckets.grantBucketAccess({ bucketId: "old-photos", accountName: "alice" });
  accessTo(place.state, bucketId, keysIn(granted.credentials)).put("a", "1");
  equal((await noFrom(buckets.grantBucketAccess({ bucketId: "nowhere", accountName: "a" }))).code, "NOT_FOUND");
});

test("a quota is kept, and a driver without one refuses it", async (t) => {
  const { buckets, place } = await bucketWorld(t);
  const { bucketId } = await buckets.createBucket({ name: "b", quota: { maxBytes: 5n, maxObjects: 2n } });
  const { credentials } = await buckets.grantBucketAccess({ bucketId, accountName: "a" });
  const access = accessTo(place.state, bucketId, keysIn(credentials));
  access.put("a", "123");
  access.put("a", "12345");
  throws(() => access.put("b", "1"), QuotaExceeded);
  access.put("a", "1");
  access.put("b", "1");
  throws(() => access.put("c", ""), QuotaExceeded);

  const poor = await bucketWorld(t, { capabilities: [Capability.PURGE] });
  const no = await noFrom(poor.buckets.createBucket({ name: "b", quota: { maxBytes: 5n } }));
  deepEqual([no.code, no.trouble], ["INVALID_ARGUMENT", "refused"]);
});

test("a bucket with objects is deleted only by a purge, and one with live keys is a mistake of the caller", async (t) => {
  const { buckets, place } = await bucketWorld(t);
  const { bucketId } = await buckets.createBucket({ name: "b" });
  const { credentials } = await buckets.grantBucketAccess({ bucketId, accountName: "a" });
  accessTo(place.state, bucketId, keysIn(credentials)).put("a", "1");
  equal((await noFrom(buckets.deleteBucket({ bucketId }))).code, "FAILED_PRECONDITION");
  await buckets.deleteBucket({ bucketId, purge: true });
  await buckets.deleteBucket({ bucketId, purge: true });
  equal(existsSync(bucketDirectory(place.state, bucketId)), false);
  const { misuse, accounts } = bucketInventory(place.state).read();
  deepEqual(misuse, [{ method: "DeleteBucket", of: bucketId, says: "a was not revoked before" }]);
  deepEqual(accounts, {});
});

test("the same name in another way is refused, and written down as a mistake of the caller", async (t) => {
  const { buckets, place } = await bucketWorld(t);
  const { bucketId } = await buckets.createBucket({ name: "b" });
  await buckets.grantBucketAccess({ bucketId, accountName: "a" });
  const nos = [
    buckets.createBucket({ name: "b", parameters: { x: "1" } }),
    buckets.grantBucketAccess({ bucketId, accountName: "a", accessMode: AccessMode.READ_ONLY }),
  ];
  for (const no of nos) equal((await noFrom(no)).code, "ALREADY_EXISTS");
  deepEqual(
    bucketInventory(place.state)
      .read()
      .misuse.map(({ method, of }) => `${method} ${of}`),
    ["CreateBucket b", "GrantBucketAccess a"],
  );
});

test("upstream's wire leads to the same buckets, with the keys where upstream puts them", async (t) => {
  const { driver, place } = await bucketWorld(t);
  equal((await driver.calls(Identity).driverGetInfo({})).name, "scripted.cosi.portway.dev");
  const upstream = driver.calls(Provisioner);
  const { bucketId, bucketInfo } = await upstream.driverCreateBucket({ name: "b" });
  equal(bucketInfo?.type.case, "s3");
  const { accountId, credentials } = await upstream.driverGrantBucketAccess({ bucketId, name: "a" });
  const access = accessTo(place.state, bucketId, keysIn(credentials["s3"]?.secrets ?? {}));
  access.put("a", "1");
  await upstream.driverRevokeBucketAccess({ bucketId, accountId });
  throws(() => access.get("a"), AccessDenied);
  await upstream.driverDeleteBucket({ bucketId });
  deepEqual(bucketInventory(place.state).read().buckets, {});
});

test("a wire that a driver does not speak is UNIMPLEMENTED at once", async (t) => {
  const { buckets, driver } = await bucketWorld(t, { wires: ["upstream"] });
  const no = await noFrom(buckets.getDriverInfo({}));
  deepEqual([no.code, no.trouble], ["UNIMPLEMENTED", "refused"]);
  equal((await driver.calls(Identity).driverGetInfo({})).name, "scripted.cosi.portway.dev");
});

test("faults work on buckets as they do on volumes", async (t) => {
  const { buckets, place } = await bucketWorld(t);
  const { bucketId } = await buckets.createBucket({ name: "b" });
  place.play([
    { method: "GrantBucketAccess", nth: 1, when: "after", fault: "lost-reply" },
    { method: "GrantBucketAccess", nth: 2, when: "after", fault: { answer: "empty-id" } },
  ]);
  equal((await noFrom(buckets.grantBucketAccess({ bucketId, accountName: "a" }))).trouble, "in-doubt");
  equal((await buckets.grantBucketAccess({ bucketId, accountName: "a" })).accountId, "");
  equal((await buckets.grantBucketAccess({ bucketId, accountName: "a" })).accountId, "account-2");
});
