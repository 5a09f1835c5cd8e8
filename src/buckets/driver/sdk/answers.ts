import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  AccessMode,
  Capability,
  type CreateBucketRequest,
  type CreateBucketResponseSchema,
  type GetDriverInfoResponseSchema,
  type GrantBucketAccessRequest,
  GrantBucketAccessRequestSchema,
  type GrantBucketAccessResponseSchema,
} from "../../../rpc/gen/buckets_pb.js";
import type { BucketDriverParts, Calling, Granted } from "./driver.ts";
import { invalid, Refusal } from "./refusal.ts";

const longestId = 2048;

/** One for each method of the service, by its local name. */
export type DriverAnswers = Readonly<Record<string, (request: never, calling: Calling) => Promise<object>>>;

/** What is the same in every driver: what a request must have, and what an answer must. */
export function answersOf(parts: BucketDriverParts): DriverAnswers {
  const needs = (capability: Capability, isAsked: boolean, what: string) => {
    if (isAsked && !parts.capabilities.includes(capability)) throw invalid(`${parts.name} has no ${what}`);
  };

  async function grant(request: GrantBucketAccessRequest, calling: Calling): Promise<Granted> {
    const limited = [AccessMode.READ_ONLY, AccessMode.WRITE_ONLY].includes(request.accessMode);
    needs(Capability.ACCESS_MODES, limited, `access mode ${AccessMode[request.accessMode]}`);
    if (AccessMode[request.accessMode] === undefined) throw invalid(`there is no access mode ${request.accessMode}`);
    const granted = await parts.grantBucketAccess(request, calling);
    if (Object.keys(granted.credentials).length === 0) throw bug("grantBucketAccess", "no credentials");
    return { ...granted, accountId: wellMade("grantBucketAccess", "accountId", granted.accountId) };
  }

  return {
    async getDriverInfo(): Promise<MessageInitShape<typeof GetDriverInfoResponseSchema>> {
      const capabilities = [...new Set([...parts.capabilities, Capability.GRANTS_ON_CREATE])];
      return { name: parts.name, version: parts.version, protocols: [...parts.protocols], capabilities };
    },

    async createBucket(
      request: CreateBucketRequest,
      calling,
    ): Promise<MessageInitShape<typeof CreateBucketResponseSchema>> {
      required(request.name, "name");
      const { maxBytes = 0n, maxObjects = 0n } = request.quota ?? {};
      if (maxBytes < 0n || maxObjects < 0n) throw invalid("a quota is not negative");
      needs(Capability.QUOTA, maxBytes > 0n || maxObjects > 0n, "quotas");
      const made = await parts.createBucket(request, calling);
      const { endpoint, bucketId } = { ...made, bucketId: wellMade("createBucket", "bucketId", made.bucketId) };
      if (request.accountName === "") return { bucketId, endpoint };
      const { accountName, accessMode, parameters } = request;
      const asked = create(GrantBucketAccessRequestSchema, { bucketId, accountName, accessMode, parameters });
      const { accountId, credentials } = await grant(asked, calling);
      return { bucketId, endpoint, accountId, credentials };
    },

    async deleteBucket(request: Parameters<BucketDriverParts["deleteBucket"]>[0], calling) {
      required(request.bucketId + request.name, "bucket_id");
      needs(Capability.PURGE, request.purge, "purge");
      await parts.deleteBucket(request, calling);
      return {};
    },

    async grantBucketAccess(
      request: GrantBucketAccessRequest,
      calling,
    ): Promise<MessageInitShape<typeof GrantBucketAccessResponseSchema>> {
      required(request.bucketId, "bucket_id");
      required(request.accountName, "account_name");
      return await grant(request, calling);
    },

    async revokeBucketAccess(request: Parameters<BucketDriverParts["revokeBucketAccess"]>[0], calling) {
      required(request.bucketId, "bucket_id");
      required(request.accountId + request.accountName, "account_id");
      await parts.revokeBucketAccess(request, calling);
      return {};
    },
  };
}

function required(value: string, field: string): void {
  if (value === "") throw invalid(`${field} is missing`);
}

function wellMade(method: string, field: string, id: string): string {
  if (id === "") throw bug(method, `no ${field}`);
  if (id.length > longestId) throw bug(method, `a ${field} of more than ${longestId} characters`);
  return id;
}

function bug(method: string, what: string): Refusal {
  return new Refusal("INTERNAL", `a bug of the driver: ${method} answered ${what}`);
}
