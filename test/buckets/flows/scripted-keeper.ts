import { readdirSync } from "node:fs";
import { connectDriver } from "../../../src/rpc/driver.ts";
import { BucketDriver } from "../../../src/rpc/gen/buckets_pb.js";
import { startBeside } from "../../driver/beside.ts";
import { bucketDirectory, bucketInventory } from "../../driver/bucket-inventory.ts";
import { AccessDenied, accessTo } from "../../driver/bucket-store.ts";
import { bytes, type Keeper } from "./keeper.ts";

/** A driver that does what its script says, and remembers what it was asked. */
export async function scriptedKeeper(
  name: string,
  undo: AsyncDisposableStack,
  words: readonly string[] = [],
): Promise<Keeper> {
  const scripted = await startBeside("bucket-driver.ts", name, undo, words);
  const { socket, state } = scripted;
  const connection = connectDriver({ socket });
  undo.defer(() => connection.close());
  const direct = connection.calls(BucketDriver);
  const inventory = () => bucketInventory(state).read();
  const idOf = (bucket: string) => Object.values(inventory().buckets).find((one) => one.name === bucket)?.id;
  return {
    name,
    socket,
    scripted,
    async held() {
      const { buckets, accounts } = inventory();
      return {
        buckets: Object.values(buckets).map(({ id, name }) => ({
          name,
          objects: readdirSync(bucketDirectory(state, id)).length,
        })),
        accounts: Object.values(accounts).map((account) => account.name),
      };
    },
    async opens({ bucketName, ...keys }) {
      try {
        accessTo(state, idOf(bucketName) ?? "", keys).get(bytes.key);
        return true;
      } catch (problem) {
        // Let in, and nothing is there.
        return !(problem instanceof AccessDenied);
      }
    },
    async put({ bucketName, ...keys }) {
      accessTo(state, idOf(bucketName) ?? "", keys).put(bytes.key, bytes.text);
    },
    async makeBucket(bucket) {
      const { bucketId } = await direct.createBucket({ name: bucket });
      const { accountId, credentials } = await direct.grantBucketAccess({ bucketId, accountName: `before-${bucket}` });
      const { accessKeyID = "", accessSecretKey = "" } = credentials;
      accessTo(state, bucketId, { accessKeyID, accessSecretKey }).put(bytes.key, bytes.text);
      await direct.revokeBucketAccess({ bucketId, accountId });
      return bucketId;
    },
    async removeBucket(bucket) {
      await direct.deleteBucket({ name: bucket, purge: true });
    },
  };
}
