import { accountName } from "../api/buckets/names.ts";
import type { BucketContent, BucketContentStatus } from "../api/gen/cosi.ts";
import type { Condition } from "../api/gen/meta.ts";
import type { Stored } from "../api/object.ts";

export type Content = Stored<BucketContent>;
export type ContentPhase = NonNullable<BucketContentStatus["phase"]>;

/** What is told of a content, each by the one process that knows it. The phase is derived from these, and never read. */
export type ContentCondition =
  /** Written before the first call to the driver: from here on only the driver's own sidecar may release it. */
  | "ProvisioningStarted"
  | "BucketReady"
  | "AccessGranted"
  /** Its Bucket has the Secret. */
  | "Bound"
  /** Its Bucket goes, or is gone: before that no key and no bucket is taken back, whoever deletes the content. */
  | "BucketLeaving"
  /** No key is good any more, and the bucket is gone if it was to go. */
  | "Released";

export function isTrue(conditions: readonly Condition[] | undefined, wanted: string): boolean {
  return (conditions ?? []).some(({ type, status }) => type === wanted && status === "True");
}

export function holds({ status }: Content, condition: ContentCondition): boolean {
  return isTrue(status?.conditions, condition);
}

export function isLeaving({ metadata }: Pick<Content, "metadata">): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** A second account would be a second key to take back; there is one until keys are rotated. */
export function accountOf({ metadata }: Content): string {
  return accountName(metadata.uid, 0);
}

/** Its account is written down under its own uid: a content from a back-up has another one, and was begun by nobody. */
export function hasBegun(content: Content): boolean {
  const accounts = content.status?.accounts ?? [];
  return holds(content, "ProvisioningStarted") && accounts.some(({ name }) => name === accountOf(content));
}

/** From here on what was given is taken back. Who only deletes the content, while its Bucket stays, takes nothing from it. */
export function isGivenUp(content: Content): boolean {
  return isLeaving(content) && (holds(content, "BucketLeaving") || !hasBegun(content));
}

/** Everything that its Bucket needs is there. */
export function isReady(content: Content): boolean {
  return content.spec.secretRef !== undefined && holds(content, "AccessGranted");
}

/** The driver is asked again and again; whatever else it says will not change by itself. */
export const retriedBecause = "DriverRetried";
const stages = ["Released", "AccessGranted", "BucketReady"] as const satisfies readonly ContentCondition[];

/** What is in the way, as its sidecar has told it. */
export function troubleIn(conditions: readonly Condition[]): Condition | undefined {
  return stages
    .flatMap((stage) => conditions.find(({ type }) => type === stage) ?? [])
    .find(({ status }) => status === "False");
}

export function phaseOf(conditions: readonly Condition[]): ContentPhase {
  if (isTrue(conditions, "Released")) return "Released";
  const trouble = troubleIn(conditions);
  if (trouble !== undefined) return trouble.reason === retriedBecause ? "Retrying" : "Failed";
  if (isTrue(conditions, "Bound")) return "Bound";
  return isTrue(conditions, "AccessGranted") ? "Ready" : "Pending";
}
