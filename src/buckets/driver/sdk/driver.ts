import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  Capability,
  CreateBucketRequest,
  DeleteBucketRequest,
  EndpointSchema,
  GrantBucketAccessRequest,
  RevokeBucketAccessRequest,
} from "../../../rpc/gen/buckets_pb.js";

/** Around a call. */
export interface Calling {
  /** Aborted when the caller is gone or its deadline has passed: begin nothing more. The caller repeats the call. */
  readonly signal: AbortSignal;
}

type Endpoint = MessageInitShape<typeof EndpointSchema>;
type Now<T> = T | Promise<T>;

export interface Created {
  readonly bucketId: string;
  readonly endpoint: Endpoint;
}

export interface Granted {
  readonly accountId: string;
  readonly endpoint: Endpoint;
  /** In the keys of the user's Secret: accessKeyID, accessSecretKey. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** All that a vendor writes. Each call may come again, in the same words, and then has the same answer. */
export interface BucketDriverParts {
  /** A lower-case DNS subdomain of at most 63 characters. */
  readonly name: string;
  readonly version: string;
  /** In the words of BucketClass.supportedProtocols, for instance "s3". */
  readonly protocols: readonly string[];
  /**
   * What is not among them is refused before the driver hears of it. With GRANTS_ON_CREATE the two calls below are made one
   * after the other for one question; without it each has a deadline of its own, for stores where a bucket takes minutes.
   */
  readonly capabilities: readonly Capability[];
  createBucket(request: CreateBucketRequest, calling: Calling): Now<Created>;
  /** By its id, or by its name when the id was never learnt. What is not there, or can never have been, is deleted. */
  deleteBucket(request: DeleteBucketRequest, calling: Calling): Now<void>;
  grantBucketAccess(request: GrantBucketAccessRequest, calling: Calling): Now<Granted>;
  /** The bucket by its id or its name, and the account too. What is not there, or can never have been, is revoked. */
  revokeBucketAccess(request: RevokeBucketAccessRequest, calling: Calling): Now<void>;
}
