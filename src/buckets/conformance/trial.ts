import { randomBytes } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Channel } from "../../rpc/channel.ts";
import {
  AccessMode,
  type BucketDriver,
  type CreateBucketRequestSchema,
  type CreateBucketResponse,
  type GetDriverInfoResponse,
  type GrantBucketAccessResponse,
} from "../../rpc/gen/buckets_pb.js";
import type { Calls } from "../../rpc/grpc.ts";
import type { Tried } from "./check.ts";
import { done } from "./expect.ts";
import { type Access, type Heard, type Request, storeFor } from "./keys-on-store.ts";
import { type Remembered, remembering } from "./made.ts";

export interface TrialOf {
  readonly calls: Calls<typeof BucketDriver>;
  readonly info: GetDriverInfoResponse;
  /** What the driver needs to make a bucket at all. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly asksStore: boolean;
  readonly timeoutSeconds: number;
  /** The wire itself, for what no client of ours would send. */
  readonly raw: Pick<Channel, "send">;
}

/** What one check has: the driver, names that nobody has used, and the store as a tenant sees it. */
export interface Trial extends Tried {
  readonly calls: Calls<typeof BucketDriver>;
  readonly parameters: Readonly<Record<string, string>>;
  readonly raw: Pick<Channel, "send">;
  /** A name for a bucket or an account. */
  readonly name: () => string;
  readonly has: (capability: number) => boolean;
  /** A fresh bucket. */
  readonly bucket: (more?: Omit<MessageInitShape<typeof CreateBucketRequestSchema>, "$typeName">) => Promise<Bucket>;
  /** A request to the store, by these keys. Only where the store is asked. */
  readonly as: (keys: Access, request: Request) => Promise<Heard>;
  /** Everything that was made, in the order of making. */
  readonly made: Remembered;
}

export interface Bucket extends CreateBucketResponse {
  readonly name: string;
  /** An account on it, a fresh one when none is named. */
  readonly grant: (accountName?: string, accessMode?: AccessMode) => Promise<GrantBucketAccessResponse>;
}

export function trialOf({ calls, info, parameters, asksStore, timeoutSeconds, raw }: TrialOf): Trial {
  const { remembered, calls: watched } = remembering(calls);
  // Names are never used twice, not even by a kit that was killed.
  const run = randomBytes(5).toString("hex");
  let count = 0;
  const name = () => `conformance-${run}-${++count}`;
  return {
    calls: watched,
    info,
    parameters,
    asksStore,
    raw,
    name,
    made: remembered,
    has: (capability) => info.capabilities.includes(capability),
    async bucket(more) {
      const asked = { name: name(), parameters: { ...parameters }, ...more };
      const made = await done("a bucket", watched.createBucket(asked));
      return {
        ...made,
        name: asked.name,
        async grant(accountName = name(), accessMode = AccessMode.READ_WRITE) {
          const { bucketId } = made;
          const grant = { bucketId, accountName, accessMode, parameters: { ...parameters } };
          return await done("a grant", watched.grantBucketAccess(grant));
        },
      };
    },
    async as(keys, request) {
      if (request.method === "PUT" && request.key !== undefined) remembered.wrote(keys, request.key);
      return await storeFor(keys, timeoutSeconds).hear(request);
    },
  };
}
