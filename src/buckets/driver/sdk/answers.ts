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

  const refuseMode = (mode: AccessMode) => {
    if (AccessMode[mode] === undefined) throw invalid(`there is no access mode ${mode}`);
    const isLimited = mode === AccessMode.READ_ONLY || mode === AccessMode.WRITE_ONLY;
    needs(Capability.ACCESS_MODES, isLimited, `access mode ${AccessMode[mode]}`);
  };

  async function grant(request: GrantBucketAccessRequest, calling: Calling): Promise<Granted> {
    const granted = await parts.grantBucketAccess(request, calling);
    if (Object.keys(granted.credentials).length === 0) throw bug("grantBucketAccess", "no credentials");
    return { ...granted, accountId: wellMade("grantBucketAccess", "accountId", granted.accountId) };
  }

  return {
    async getDriverInfo(): Promise<MessageInitShape<typeof GetDriverInfoResponseSchema>> {
      const { name, version, protocols, capabilities } = parts;
      return { name, version, protocols: [...protocols], capabilities: [...new Set(capabilities)] };
    },

    /** With an account it is create, then grant. What can be refused is refused before there is a bucket. */
    async createBucket(
      request: CreateBucketRequest,
      calling,
    ): Promise<MessageInitShape<typeof CreateBucketResponseSchema>> {
      const { name, accountName, accessMode, parameters } = request;
      required(name, "name");
      const { maxBytes = 0n, maxObjects = 0n } = request.quota ?? {};
      if (maxBytes < 0n || maxObjects < 0n) throw invalid("a quota is not negative");
      needs(Capability.QUOTA, maxBytes > 0n || maxObjects > 0n, "quotas");
      needs(Capability.GRANTS_ON_CREATE, accountName !== "", "way to grant when it creates");
      refuseMode(accessMode);
      const { endpoint, ...made } = await parts.createBucket(request, calling);
      const bucketId = wellMade("createBucket", "bucketId", made.bucketId);
      if (accountName === "") return { bucketId, endpoint };
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
      refuseMode(request.accessMode);
      return await grant(request, calling);
    },

    async revokeBucketAccess(request: Parameters<BucketDriverParts["revokeBucketAccess"]>[0], calling) {
      required(request.bucketId + request.bucketName, "bucket_id");
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
