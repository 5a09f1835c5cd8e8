import { AccessMode, Capability } from "../../../rpc/gen/buckets_pb.js";
import type { BucketDriverParts } from "../sdk/driver.ts";
import { invalid, Refusal } from "../sdk/refusal.ts";
import type { Store } from "../store/store.ts";
import { bucketNamed } from "./bucket-name.ts";
import { isOurKeyID, keysOf } from "./derive-keys.ts";
import { policiesOf } from "./policies.ts";
import type { Mode } from "./policy.ts";

export interface S3DriverSettings {
  readonly name: string;
  readonly version: string;
  readonly masterKey: Uint8Array;
  /** Where tenants reach the store. */
  readonly publicUrl: string;
  readonly region: string;
}

const modes: Readonly<Record<AccessMode, Mode>> = {
  [AccessMode.UNSPECIFIED]: "rw",
  [AccessMode.READ_WRITE]: "rw",
  [AccessMode.READ_ONLY]: "ro",
  [AccessMode.WRITE_ONLY]: "wo",
};

/** Real buckets, users and policies on an S3 store. The id of a bucket is its name, the id of an account its access key. */
export function s3Driver(
  { masterKey, publicUrl, region, ...driver }: S3DriverSettings,
  store: Store,
): BucketDriverParts {
  const policies = policiesOf(store);
  const endpointOf = (bucketName: string) => ({ url: publicUrl, region, protocol: "s3", bucketName, pathStyle: true });

  return {
    ...driver,
    protocols: ["s3"],
    capabilities: [Capability.ACCESS_MODES, Capability.PURGE],

    async createBucket({ name, parameters }) {
      refuseParameters(parameters);
      const bucket = bucketNamed(name);
      await store.createBucket(bucket);
      return { bucketId: bucket, endpoint: endpointOf(bucket) };
    },

    async deleteBucket({ bucketId, name, purge }, { signal }) {
      const bucket = bucketNamed(bucketId || name);
      if (purge && (await store.headBucket(bucket))) await store.emptyBucket(bucket, signal);
      signal.throwIfAborted();
      await store.deleteBucket(bucket);
    },

    // The user first: a store takes no policy that names somebody it does not know. Until then it may do nothing.
    async grantBucketAccess({ bucketId, accountName, accessMode, parameters }, { signal }) {
      refuseParameters(parameters);
      const bucket = bucketNamed(bucketId);
      if (!(await store.headBucket(bucket))) throw new Refusal("NOT_FOUND", `there is no bucket ${bucket}`);
      const keys = keysOf(masterKey, bucket, accountName);
      signal.throwIfAborted();
      await store.ensureUser(keys);
      await policies.admit(bucket, keys.accessKeyID, modes[accessMode]);
      return { accountId: keys.accessKeyID, endpoint: endpointOf(bucket), credentials: { ...keys } };
    },

    // Out of the policy first: whatever is cut off here, the keys are worth less than before.
    async revokeBucketAccess({ bucketId, accountId, accountName }) {
      const bucket = bucketNamed(bucketId);
      const id = accountId || keysOf(masterKey, bucket, accountName).accessKeyID;
      if (!isOurKeyID(id)) return;
      await policies.exclude(bucket, id);
      await store.deleteUser(id);
    },
  };
}

/** What has no meaning here is refused, or somebody would believe that it had. */
function refuseParameters(parameters: Readonly<Record<string, string>>): void {
  const [unknown] = Object.keys(parameters);
  if (unknown !== undefined) throw invalid(`there is no parameter "${unknown}": this driver takes none`);
}
