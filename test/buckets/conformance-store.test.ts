import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Result } from "../../src/buckets/conformance/run.ts";
import type { BucketDriverParts } from "../../src/buckets/driver/sdk/driver.ts";
import { AccessMode } from "../../src/rpc/gen/buckets_pb.js";
import { portway } from "../fixture/portway.ts";
import { reportOn } from "./conformance-report.ts";
import { driverGround } from "./driver-ground.ts";
import { inventoryOf } from "./driver-inventory.ts";

test("our S3 driver on a real store passes every check, and nothing is left in the store", async (t) => {
  const ground = await driverGround(t);
  const words = ["cosi-conformance", `--driver-address=${ground.socket}`, "-o", "json"];
  const { code, stdout, stderr } = await portway(t, words);
  deepEqual([code, stderr], [0, ""]);
  const { driver, checks } = JSON.parse(stdout) as { driver: string; checks: readonly Result[] };
  equal(driver, "s3.test.portway.dev");
  deepEqual(
    checks.flatMap((one) => (one.result === "untried" ? [one.name] : [])),
    ["another-quota-is-refused", "unannounced-mode-is-refused", "unannounced-purge-is-refused"],
  );
  deepEqual(await inventoryOf(ground), { buckets: [], users: [], policy: [] });
});

type Lie = readonly [
  says: string,
  lies: (honest: BucketDriverParts) => Partial<BucketDriverParts>,
  failing: readonly string[],
];

const neverGone = { signal: new AbortController().signal };

/** Drivers whose every answer is as it should be: only the store knows better. */
const lies: readonly Lie[] = [
  [
    "says that keys are revoked and leaves them good",
    () => ({ revokeBucketAccess: () => undefined }),
    ["revoke-by-account-name", "revoke-by-names-alone", "revoked-keys-are-dead", "late-grants-revive-nothing"],
  ],
  [
    "revokes by ids alone and says nothing",
    (honest) => ({
      revokeBucketAccess: (asked, calling) =>
        asked.accountId === "" || asked.bucketId === "" ? undefined : honest.revokeBucketAccess(asked, calling),
    }),
    ["revoke-by-account-name", "revoke-by-names-alone", "late-grants-revive-nothing"],
  ],
  [
    "gives keys that write to whoever may only read",
    (honest) => ({
      grantBucketAccess: (asked, calling) =>
        honest.grantBucketAccess(
          asked.accessMode === AccessMode.READ_ONLY ? { ...asked, accessMode: 1 } : asked,
          calling,
        ),
    }),
    ["grant-in-another-mode-is-refused", "read-only-keys-only-read"],
  ],
  [
    "purges whatever is deleted",
    (honest) => ({ deleteBucket: (asked, calling) => honest.deleteBucket({ ...asked, purge: true }, calling) }),
    ["objects-keep-their-bucket"],
  ],
  [
    "ends a grant after its caller has gone",
    (honest) => ({
      async grantBucketAccess(asked) {
        await sleep(100);
        return await honest.grantBucketAccess(asked, neverGone);
      },
    }),
    ["late-grants-revive-nothing"],
  ],
];

for (const [says, lie, failing] of lies) {
  test(`a driver that ${says} is found out on the store`, async (t) => {
    const ground = await driverGround(t, { lies: lie });
    const { failed } = await reportOn(ground.socket, { asksStore: true });
    deepEqual(
      failed.map(({ name }) => name),
      failing,
    );
  });
}
