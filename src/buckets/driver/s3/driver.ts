import { AccessMode, Capability } from "../../../rpc/gen/buckets_pb.js";
import type { BucketDriverParts } from "../sdk/driver.ts";
import { invalid } from "../sdk/refusal.ts";
import type { Store } from "../store/store.ts";
import { accountsOn } from "./accounts.ts";
import { bucketNamed, canBeBucket } from "./bucket-name.ts";
import { isOurKeyID, keysOf } from "./derive-keys.ts";
import type { Mode } from "./policy.ts";
import { turns } from "./turns.ts";

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
  const [accounts, inTurn] = [accountsOn(store), turns()];
  const endpointOf = (bucketName: string) => ({ url: publicUrl, region, protocol: "s3", bucketName, pathStyle: true });

  /** What takes back waits for what was given up, or a late grant would bring back a user that was just deleted. */
  async function turn(bucket: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    await inTurn.take(bucket, async () => {
      signal.throwIfAborted();
      await work();
    });
  }

  return {
    ...driver,
    protocols: ["s3"],
    capabilities: [Capability.ACCESS_MODES, Capability.PURGE, Capability.GRANTS_ON_CREATE],

    async createBucket({ name, parameters }, { signal }) {
      refuseParameters(parameters);
      const bucket = bucketNamed(name);
      await turn(bucket, signal, async () => await store.createBucket(bucket));
      return { bucketId: bucket, endpoint: endpointOf(bucket) };
    },

    async deleteBucket({ bucketId, name, purge }, { signal }) {
      const bucket = bucketId || name;
      if (!canBeBucket(bucket)) return;
      await turn(bucket, signal, async () => {
        if (purge && (await store.headBucket(bucket))) await store.emptyBucket(bucket, signal);
        signal.throwIfAborted();
        await store.deleteBucket(bucket);
      });
    },

    async grantBucketAccess({ bucketId, accountName, accessMode, parameters }, { signal }) {
      refuseParameters(parameters);
      const bucket = bucketNamed(bucketId);
      const keys = keysOf(masterKey, bucket, accountName);
      await turn(bucket, signal, async () => await accounts.admit(bucket, keys, modes[accessMode], signal));
      return { accountId: keys.accessKeyID, endpoint: endpointOf(bucket), credentials: { ...keys } };
    },

    async revokeBucketAccess({ bucketId, bucketName, accountId, accountName }, { signal }) {
      const bucket = bucketId || bucketName;
      if (!canBeBucket(bucket)) return;
      const id = accountId || keysOf(masterKey, bucket, accountName).accessKeyID;
      if (isOurKeyID(id)) await turn(bucket, signal, async () => await accounts.expel(bucket, id));
    },
  };
}

/** What has no meaning here is refused, or somebody would believe that it had. */
function refuseParameters(parameters: Readonly<Record<string, string>>): void {
  const [unknown] = Object.keys(parameters);
  if (unknown !== undefined) throw invalid(`there is no parameter "${unknown}": this driver takes none`);
}
