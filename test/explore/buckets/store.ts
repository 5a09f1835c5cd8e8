import { create } from "@bufbuild/protobuf";
import type { KubeObject, Resource } from "../../../src/api/object.ts";
import type { Tools } from "../../../src/buckets/sidecar/tools.ts";
import type { Client } from "../../../src/kube/client.ts";
import { ConnectionError } from "../../../src/kube/transport/http.ts";
import { RpcError } from "../../../src/rpc/errors.ts";
import {
  CreateBucketResponseSchema,
  DeleteBucketResponseSchema,
  GetDriverInfoResponseSchema,
  GrantBucketAccessResponseSchema,
  RevokeBucketAccessResponseSchema,
} from "../../../src/rpc/gen/buckets_pb.js";
import type { Kind } from "../model/kinds.ts";

/** What a store has in it, kept where the explorer can see it and lose the answers about it. */
export interface StoreBucket extends KubeObject {
  /** Somebody has put something into it. */
  readonly isUsed?: boolean;
}

export interface StoreAccount extends KubeObject {
  readonly bucket: string;
}

const inStore = { group: "store.test", version: "v1", namespaced: false } as const;
export const storeBuckets: Resource<StoreBucket> = { ...inStore, plural: "storebuckets", kind: "StoreBucket" };
export const storeAccounts: Resource<StoreAccount> = { ...inStore, plural: "storeaccounts", kind: "StoreAccount" };

export const storeKinds: readonly Kind[] = [storeBuckets, storeAccounts].map((resource) => ({
  resource,
  hasStatus: false,
}));

export const keysFor = (account: string) => ({ accessKeyID: `AK-${account}`, accessSecretKey: `SK-${account}` });

/** A driver that keeps the promises of `proto/buckets.proto` and no others. It may be cut off after everything it does. */
export function driverOn(store: Client): Tools["calls"] {
  const endpointOf = (bucketName: string) => ({
    url: "http://store.test",
    bucketName,
    protocol: "s3",
    pathStyle: true,
  });

  async function grant(bucket: string, account: string): Promise<void> {
    if ((await store.find(storeBuckets, { name: bucket })) === undefined)
      throw new RpcError("GrantBucketAccess", "NOT_FOUND", `there is no bucket ${bucket}`, "transient");
    if ((await store.find(storeAccounts, { name: account })) === undefined)
      await store.create(storeAccounts, { metadata: { name: account }, bucket });
  }

  return {
    getDriverInfo: () => Promise.resolve(create(GetDriverInfoResponseSchema, {})),
    createBucket: ({ name = "", accountName = "" }) =>
      answered("CreateBucket", async () => {
        if ((await store.find(storeBuckets, { name })) === undefined)
          await store.create(storeBuckets, { metadata: { name } });
        const made = { bucketId: name, endpoint: endpointOf(name) };
        if (accountName === "") return create(CreateBucketResponseSchema, made);
        await grant(name, accountName);
        const credentials = keysFor(accountName);
        return create(CreateBucketResponseSchema, { ...made, accountId: credentials.accessKeyID, credentials });
      }),
    grantBucketAccess: ({ bucketId = "", accountName = "" }) =>
      answered("GrantBucketAccess", async () => {
        await grant(bucketId, accountName);
        const credentials = keysFor(accountName);
        const access = { accountId: credentials.accessKeyID, endpoint: endpointOf(bucketId), credentials };
        return create(GrantBucketAccessResponseSchema, access);
      }),
    revokeBucketAccess: ({ accountName = "" }) =>
      answered("RevokeBucketAccess", async () => {
        const there = await store.find(storeAccounts, { name: accountName });
        if (there !== undefined) await store.delete(storeAccounts, { name: accountName, uid: there.metadata.uid });
        return create(RevokeBucketAccessResponseSchema);
      }),
    deleteBucket: ({ bucketId = "", name = "", purge = false }) =>
      answered("DeleteBucket", async () => {
        const there = await store.find(storeBuckets, { name: bucketId || name });
        if (there?.isUsed === true && !purge)
          throw new RpcError("DeleteBucket", "FAILED_PRECONDITION", "the bucket is not empty", "transient");
        if (there !== undefined)
          await store.delete(storeBuckets, { name: there.metadata.name, uid: there.metadata.uid });
        return create(DeleteBucketResponseSchema);
      }),
  };
}

/** What was cut off has happened all the same. */
async function answered<T>(method: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (problem) {
    if (!(problem instanceof ConnectionError)) throw problem;
    throw new RpcError(method, "UNAVAILABLE", "the connection was lost", "in-doubt");
  }
}
