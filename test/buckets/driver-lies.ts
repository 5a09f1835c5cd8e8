import { create } from "@bufbuild/protobuf";
import { Capability, type CreateBucketRequest, CreateBucketRequestSchema } from "../../src/rpc/gen/buckets_pb.js";
import { type BucketSettings, defaultBucketSettings } from "../driver/bucket.ts";
import { Refusal } from "../driver/refusal.ts";

/** A scripted driver that is wrong in one way, and the checks that say so. */
export type Lie = readonly [says: string, settings: Partial<BucketSettings>, failing: readonly string[]];

function lying(lies: BucketSettings["lies"], settings: Partial<BucketSettings> = {}): Partial<BucketSettings> {
  return { ...settings, lies };
}

const { capabilities } = defaultBucketSettings;
const grantsOnCreate = { capabilities: [...capabilities, Capability.GRANTS_ON_CREATE] };

function without(capability: Capability): Partial<BucketSettings> {
  return { capabilities: capabilities.filter((one) => one !== capability) };
}

/** From the second time on that the same is asked for, the answer is another one. */
function againWrong<Asked, Said extends object>(
  call: (asked: Asked) => Said | Promise<Said>,
  of: (asked: Asked) => string,
  wrong: (said: Said) => Said,
): (asked: Asked) => Promise<Said> {
  const seen = new Set<string>();
  return async (asked) => {
    const said = await call(asked);
    const isNew = !seen.has(of(asked));
    seen.add(of(asked));
    return isNew ? said : wrong(said);
  };
}

function no(code: "INVALID_ARGUMENT" | "NOT_FOUND" | "INTERNAL"): never {
  throw new Refusal(code, "so it is");
}

function withoutQuota(asked: CreateBucketRequest): CreateBucketRequest {
  const { quota: _, ...rest } = asked;
  return rest;
}

function inWords(asked: object): string {
  return Object.values(asked)
    .filter((value) => typeof value === "string")
    .join();
}

export const newKeysEachTime = lying(({ grantBucketAccess }) => ({
  grantBucketAccess: againWrong(
    grantBucketAccess,
    ({ accountName }) => accountName,
    (said) => ({
      ...said,
      credentials: { accessKeyID: "AKOTHER", accessSecretKey: "other" },
    }),
  ),
}));

export const lies: readonly Lie[] = [
  ["has a name that no registration can have", { name: "Vendor_Driver" }, ["info-is-complete"]],
  [
    "says something else of itself each time",
    lying(({ getDriverInfo }) => ({
      getDriverInfo: againWrong(
        getDriverInfo,
        () => "",
        (said) => ({ ...said, version: "2" }),
      ),
    })),
    ["info-is-stable"],
  ],
  [
    "makes buckets without an address",
    lying(({ createBucket }) => ({
      createBucket: async (asked) => ({ bucketId: (await createBucket(asked)).bucketId ?? "" }),
    })),
    ["create-answers-whole"],
  ],
  [
    "calls a bucket otherwise when it is asked for again",
    lying(({ createBucket }) => ({
      createBucket: againWrong(
        createBucket,
        ({ name }) => name,
        (said) => ({ ...said, bucketId: "another" }),
      ),
    })),
    ["create-is-idempotent", "create-at-once", "deadlines-do-no-harm"],
  ],
  [
    "does not look at parameters",
    lying(({ createBucket }) => ({ createBucket: (asked) => createBucket({ ...asked, parameters: {} }) })),
    ["create-in-another-way-is-refused"],
  ],
  [
    "makes names fit",
    lying(({ createBucket }) => ({
      createBucket: (asked) => createBucket({ ...asked, name: asked.name.replaceAll(/[^\w.-]/g, "-").slice(0, 255) }),
    })),
    ["create-with-a-bad-name-is-refused"],
  ],
  [
    "keeps people from giving back what it refused",
    lying(({ deleteBucket }) => ({
      deleteBucket: (asked) => (asked.name.includes(" ") ? no("INVALID_ARGUMENT") : deleteBucket(asked)),
    })),
    ["what-was-refused-is-given-back"],
  ],
  [
    "takes quotas and forgets them",
    lying(
      ({ createBucket }) => ({ createBucket: (asked) => createBucket(withoutQuota(asked)) }),
      without(Capability.QUOTA),
    ),
    ["unannounced-quota-is-refused"],
  ],
  [
    "keeps no quota and says nothing",
    lying(({ createBucket }) => ({ createBucket: (asked) => createBucket(withoutQuota(asked)) })),
    ["another-quota-is-refused"],
  ],
  [
    "grants without a secret key",
    lying(({ grantBucketAccess }) => ({
      async grantBucketAccess(asked) {
        const { credentials, ...said } = await grantBucketAccess(asked);
        return { ...said, credentials: { accessKeyID: credentials?.["accessKeyID"] ?? "" } };
      },
    })),
    ["grant-answers-whole", "accounts-are-apart"],
  ],
  [
    "makes new keys when the same account is asked for again",
    newKeysEachTime,
    ["grant-is-idempotent", "grant-at-once"],
  ],
  [
    "has one key for all",
    lying(({ grantBucketAccess }) => ({
      async grantBucketAccess(asked) {
        return { ...(await grantBucketAccess(asked)), credentials: { accessKeyID: "AK", accessSecretKey: "one" } };
      },
    })),
    ["accounts-are-apart"],
  ],
  [
    "does not look at access modes",
    lying(({ grantBucketAccess }) => ({
      grantBucketAccess: (asked) => grantBucketAccess({ ...asked, accessMode: 1 }),
    })),
    ["grant-in-another-mode-is-refused"],
  ],
  [
    "gives keys that write to whoever asks for less",
    lying(
      ({ grantBucketAccess }) => ({ grantBucketAccess: (asked) => grantBucketAccess({ ...asked, accessMode: 1 }) }),
      without(Capability.ACCESS_MODES),
    ),
    ["unannounced-mode-is-refused"],
  ],
  [
    "makes the buckets that it shall grant on",
    lying(({ createBucket, grantBucketAccess }) => ({
      async grantBucketAccess(asked) {
        const isName = asked.bucketId.startsWith("conformance-");
        if (isName) await createBucket(create(CreateBucketRequestSchema, { name: asked.bucketId }));
        return await grantBucketAccess(asked);
      },
    })),
    ["grant-without-a-bucket-is-refused"],
  ],
  [
    "knows only the buckets that it made, by its own ids",
    lying(({ grantBucketAccess }) => ({
      grantBucketAccess: (asked) => (/^(bucket-|$)/.test(asked.bucketId) ? grantBucketAccess(asked) : no("NOT_FOUND")),
    })),
    ["existing-bucket-is-granted-by-name"],
  ],
  [
    "announces grants on create and leaves them out",
    lying(
      ({ createBucket }) => ({ createBucket: (asked) => createBucket({ ...asked, accountName: "" }) }),
      grantsOnCreate,
    ),
    ["create-grants-as-announced"],
  ],
  [
    "refuses a second revoke",
    lying(({ revokeBucketAccess }) => ({
      revokeBucketAccess: againWrong(revokeBucketAccess, inWords, () => no("NOT_FOUND")),
    })),
    ["revoke-is-idempotent"],
  ],
  [
    "revokes by the account's id alone",
    lying(({ revokeBucketAccess }) => ({
      revokeBucketAccess: (asked) => (asked.accountId === "" ? no("INVALID_ARGUMENT") : revokeBucketAccess(asked)),
    })),
    ["what-was-refused-is-given-back", "revoke-is-idempotent", "revoke-by-account-name", "revoke-by-names-alone"],
  ],
  [
    "revokes by the bucket's id alone",
    lying(({ revokeBucketAccess }) => ({
      revokeBucketAccess: (asked) => (asked.bucketId === "" ? no("INVALID_ARGUMENT") : revokeBucketAccess(asked)),
    })),
    ["what-was-refused-is-given-back", "revoke-is-idempotent", "revoke-by-names-alone"],
  ],
  [
    "refuses a second delete",
    lying(({ deleteBucket }) => ({ deleteBucket: againWrong(deleteBucket, inWords, () => no("NOT_FOUND")) })),
    ["delete-is-idempotent"],
  ],
  [
    "deletes by the bucket's id alone",
    lying(({ deleteBucket }) => ({
      deleteBucket: (asked) => (asked.bucketId === "" && asked.name !== "" ? {} : deleteBucket(asked)),
    })),
    ["delete-by-name"],
  ],
  [
    "forgets to delete",
    lying(({ deleteBucket }) => ({
      deleteBucket: (asked) => (asked.bucketId + asked.name === "" ? deleteBucket(asked) : {}),
    })),
    ["delete-is-idempotent", "delete-by-name"],
  ],
  [
    "takes a purge for a delete",
    lying(
      ({ deleteBucket }) => ({ deleteBucket: (asked) => deleteBucket({ ...asked, purge: false }) }),
      without(Capability.PURGE),
    ),
    ["unannounced-purge-is-refused"],
  ],
  [
    "falls over empty requests",
    lying(({ revokeBucketAccess }) => ({
      revokeBucketAccess: (asked) =>
        asked.accountId + asked.accountName === "" ? no("INTERNAL") : revokeBucketAccess(asked),
    })),
    ["empty-requests-are-refused"],
  ],
  [
    "cannot purge",
    lying(({ deleteBucket }) => ({ deleteBucket: (asked) => (asked.purge ? no("INTERNAL") : deleteBucket(asked)) })),
    ["nothing-is-left"],
  ],
];
