import { deepEqual, equal, match, ok } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { connected, noFrom } from "../../../../test/driver/place.ts";
import { freshCache, until } from "../../../../test/fixture/portway.ts";
import type { Code } from "../../../rpc/errors.ts";
import { AccessMode, BucketDriver, Capability } from "../../../rpc/gen/buckets_pb.js";
import { invalid, Refusal } from "./refusal.ts";
import { type Handled, type ServeOptions, serveDriver } from "./serve.ts";

const endpoint = { url: "http://127.0.0.1:1", protocol: "s3", bucketName: "photos" };
const secret = "a secret of nobody";
const capabilities = [Capability.ACCESS_MODES, Capability.QUOTA, Capability.PURGE, Capability.GRANTS_ON_CREATE];

/** A driver that says yes to everything, but for what a test says. */
async function serving(t: TestContext, more: Partial<ServeOptions> = {}) {
  const told: Handled[] = [];
  const driver = await serveDriver({
    endpoint: `unix://${await freshCache(t)}/cosi.sock`,
    name: "test.portway.dev",
    version: "1",
    protocols: ["s3"],
    capabilities,
    createBucket: ({ name }) => ({ bucketId: name, endpoint }),
    deleteBucket: () => undefined,
    grantBucketAccess: ({ accountName }) => ({
      accountId: accountName,
      endpoint,
      credentials: { accessSecretKey: secret },
    }),
    revokeBucketAccess: () => undefined,
    log: (one) => void told.push(one),
    ...more,
  });
  t.after(async () => await driver.stop(0));
  return { driver, told, buckets: connected(t, { socket: driver.endpoint }).calls(BucketDriver) };
}

test("what a part refuses comes with its code and its words", async (t) => {
  for (const code of ["NOT_FOUND", "ALREADY_EXISTS", "UNAVAILABLE", "FAILED_PRECONDITION"] satisfies Code[]) {
    const { buckets } = await serving(t, {
      deleteBucket() {
        throw new Refusal(code, "so it is");
      },
    });
    const no = await noFrom(buckets.deleteBucket({ name: "photos" }));
    deepEqual([no.code, no.details], [code, "so it is"]);
  }
});

test("a bug is INTERNAL without its words, which only the log has, and the driver goes on", async (t) => {
  const { buckets, told } = await serving(t, {
    deleteBucket() {
      throw new TypeError("undefined is not a bucket");
    },
  });
  const no = await noFrom(buckets.deleteBucket({ name: "photos" }));
  deepEqual([no.code, no.details], ["INTERNAL", "a bug of the driver; its log says more"]);
  match(told[0]?.error ?? "", /undefined is not a bucket[^]*serve\.test\.ts/);
  equal((await buckets.getDriverInfo({})).name, "test.portway.dev");
});

test("no secret is in a log, and none that the driver knows in an answer", async (t) => {
  const rootKey = "the root key of the store";
  const { buckets, told } = await serving(t, {
    secrets: [rootKey],
    deleteBucket() {
      throw invalid(`the store says: ${rootKey} is wrong`);
    },
  });
  await buckets.createBucket({ name: "photos", accountName: "one" });
  await buckets.grantBucketAccess({ bucketId: "photos", accountName: "one" });
  const no = await noFrom(buckets.deleteBucket({ name: "photos" }));
  equal(no.details, "the store says: ***stripped*** is wrong");
  const log = JSON.stringify(told);
  ok(log.includes('"accountId":"one"') && !log.includes(secret) && !log.includes(rootKey));
});

const refusals: readonly (readonly [
  says: string,
  capabilities: readonly Capability[],
  words: RegExp,
  request: object,
])[] = [
  ["a quota", [], /has no quotas/, { quota: { maxBytes: 1n } }],
  ["a quota below nothing", capabilities, /a quota is not negative/, { quota: { maxObjects: -1n } }],
  ["an account", [], /has no way to grant when it creates/, { accountName: "one" }],
  [
    "a mode",
    [Capability.GRANTS_ON_CREATE],
    /has no access mode READ_ONLY/,
    { accountName: "one", accessMode: AccessMode.READ_ONLY },
  ],
  ["a mode that nobody knows", capabilities, /there is no access mode 9/, { accountName: "one", accessMode: 9 }],
];

test("what the driver does not announce is refused before it hears of it", async (t) => {
  for (const [says, announced, words, request] of refusals) {
    let heard = 0;
    const createBucket = () => {
      heard += 1;
      return { bucketId: "photos", endpoint };
    };
    const { buckets } = await serving(t, { capabilities: announced, createBucket });
    const no = await noFrom(buckets.createBucket({ name: "photos", ...request }));
    deepEqual([no.code, heard], ["INVALID_ARGUMENT", 0], says);
    match(no.details, words);
  }
  const { buckets } = await serving(t, { capabilities: [] });
  match((await noFrom(buckets.deleteBucket({ name: "a", purge: true }))).details, /has no purge/);
  const asked = { bucketId: "a", accountName: "b", accessMode: AccessMode.WRITE_ONLY };
  match((await noFrom(buckets.grantBucketAccess(asked))).details, /has no access mode WRITE_ONLY/);
});

test("a create with an account is create, then grant; a failure of the second leaves the bucket to the repeat", async (t) => {
  const heard: string[] = [];
  let isReady = false;
  const { buckets } = await serving(t, {
    createBucket({ name, accountName }) {
      heard.push(`create ${name} ${accountName}`);
      return { bucketId: `id-of-${name}`, endpoint };
    },
    grantBucketAccess({ bucketId, accountName, accessMode, parameters }) {
      heard.push(`grant ${bucketId} ${accountName} ${accessMode} ${JSON.stringify(parameters)}`);
      if (!isReady) throw new Refusal("UNAVAILABLE", "the store is away");
      return { accountId: "1", endpoint, credentials: { accessSecretKey: secret } };
    },
  });
  const asked = { name: "photos", accountName: "one", accessMode: AccessMode.READ_ONLY, parameters: { a: "b" } };
  equal((await noFrom(buckets.createBucket(asked))).code, "UNAVAILABLE");
  isReady = true;
  const { bucketId, accountId, credentials } = await buckets.createBucket(asked);
  deepEqual([bucketId, accountId, credentials], ["id-of-photos", "1", { accessSecretKey: secret }]);
  const once = ["create photos one", 'grant id-of-photos one 2 {"a":"b"}'];
  deepEqual(heard, [...once, ...once]);
});

test("an answer that no sidecar could use is a bug of the driver, and told as one", async (t) => {
  const bugs: readonly (readonly [Partial<ServeOptions>, RegExp])[] = [
    [{ createBucket: () => ({ bucketId: "", endpoint }) }, /createBucket answered no bucketId/],
    [{ createBucket: () => ({ bucketId: "x".repeat(2049), endpoint }) }, /a bucketId of more than 2048 characters/],
    [{ grantBucketAccess: () => ({ accountId: "1", endpoint, credentials: {} }) }, /answered no credentials/],
    [{ grantBucketAccess: () => ({ accountId: "", endpoint, credentials: { a: "b" } }) }, /answered no accountId/],
  ];
  for (const [wrong, words] of bugs) {
    const { buckets } = await serving(t, wrong);
    const no = await noFrom(buckets.createBucket({ name: "photos", accountName: "one" }));
    equal(no.code, "INTERNAL");
    match(no.details, words);
  }
});

test("a part hears that its caller has gone", async (t) => {
  const gone = Promise.withResolvers<unknown>();
  const { buckets, told } = await serving(t, {
    async deleteBucket(_, { signal }) {
      signal.addEventListener("abort", () => gone.resolve(signal.reason));
      await gone.promise;
      signal.throwIfAborted();
    },
  });
  const no = await noFrom(buckets.deleteBucket({ name: "photos" }, { timeoutSeconds: 0.2 }));
  equal(no.code, "DEADLINE_EXCEEDED");
  equal(((await gone.promise) as Refusal).code, "CANCELLED");
  await until("the log has it", () => told.some(({ code }) => code === "CANCELLED"));
});

test("a driver that is told to stop finishes what it does, and takes no more", async (t) => {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { driver, buckets } = await serving(t, {
    async deleteBucket() {
      begun.resolve();
      await end.promise;
    },
  });
  const deleted = buckets.deleteBucket({ name: "photos" }, { timeoutSeconds: 60 });
  await begun.promise;
  const stopped = driver.stop(60);
  end.resolve();
  await deleted;
  await stopped;
  equal((await noFrom(buckets.getDriverInfo({}))).code, "UNAVAILABLE");
});
