import type { PolicyDocument } from "../s3/policy.ts";
import type { Keys } from "../s3/sigv4.ts";

/** What the driver needs of an object store. Whatever a store cannot do now it says by throwing a Refusal. */
export interface Store {
  /** Makes it, or finds one that the driver's own account owns. One of somebody else is ALREADY_EXISTS. */
  createBucket(name: string): Promise<void>;
  /** Whether it is there. */
  headBucket(name: string): Promise<boolean>;
  /** What is not there is deleted. One that holds anything is FAILED_PRECONDITION. */
  deleteBucket(name: string): Promise<void>;
  /** Takes out objects, their versions and unfinished uploads, page by page; it can be cut off and begun again. */
  emptyBucket(name: string, signal: AbortSignal): Promise<void>;
  /** Who may do what in a bucket; undefined when nothing is said. A bucket that is not there is NOT_FOUND. */
  readPolicy(bucket: string): Promise<PolicyDocument | undefined>;
  /** Answers false, and changes nothing, when it names a user that the store does not know. */
  writePolicy(bucket: string, policy: PolicyDocument | undefined): Promise<boolean>;
  /** Makes a user with these keys, or gives these keys to the one that is there. It has no rights of its own. */
  ensureUser(keys: Keys): Promise<void>;
  deleteUser(accessKeyID: string): Promise<void>;
  /** The access keys of all users. */
  listUsers(): Promise<ReadonlySet<string>>;
  /** How a policy names the user. */
  principalOf(accessKeyID: string): string;
}
