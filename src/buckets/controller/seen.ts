import { contentName } from "../../api/buckets/names.ts";
import type { Look } from "../../runtime/reconciler.ts";
import { type Content, isLeaving, isTrue } from "../content.ts";
import { type Class, keyOfBucket, keyOfContent, type Ordered, type Registration, type Watches } from "./watches.ts";

/** A Bucket, or what is left of one. */
export interface Seen {
  readonly uid: string;
  readonly bucket: Ordered | undefined;
  readonly content: Content | undefined;
  /** Another one under the name that its content gets. */
  readonly namesake: Content | undefined;
  readonly bucketClass: Class | undefined;
  readonly driver: Registration | undefined;
  /** What the Lease of that driver said when somebody last asked. */
  readonly heard: Heard | undefined;
  /** When its Secret was last seen to be as it should be; after a restart its status tells that it was, once. */
  readonly publishedAt: Date | undefined;
  /** Its Secret was taken away, or was never its own. */
  readonly secretIsGone: boolean;
  readonly now: Date;
}

export interface Heard {
  /** The uid of the registration that named the Lease. */
  readonly of: string;
  readonly at: Date;
  readonly renewedAt: Date | undefined;
}

export interface Published {
  readonly publishedAt: Date;
}

export interface SecretGone {
  readonly secretIsGone: true;
}

/** A Secret that somebody has deleted or changed is put right after this long: nobody watches Secrets. */
export const secretCheckSeconds = 600;

export interface Eyes {
  readonly watches: Watches;
  /** When this process began. */
  readonly begun: Date;
  /** By driver: one question is enough for all whose buckets wait. */
  readonly heard: ReadonlyMap<string, Heard>;
}

export function observe({ watches, begun, heard }: Eyes, key: string, { now, reply }: Look): Seen | undefined {
  const uid = key.slice(key.indexOf("/") + 1);
  const bucket = watches.buckets.by("uid", uid).find((one) => keyOfBucket(one) === key);
  const named = bucket === undefined ? undefined : watches.contents.get(nameFor(bucket));
  const content = contentOf(bucket, named, watches.contents.by("bucket", uid), key);
  if (bucket === undefined && content === undefined) return undefined;
  const driver = watches.registrations.get(content?.spec.provisioner ?? "");
  return {
    uid,
    bucket,
    content,
    namesake: named === content ? undefined : named,
    bucketClass: watches.classes.get(bucket?.spec.bucketClassName ?? ""),
    driver,
    heard: driver === undefined ? undefined : lastOf(heard, driver),
    publishedAt: publishedAt(bucket, begun, reply),
    secretIsGone: isReply<SecretGone>(reply, "secretIsGone"),
    now,
  };
}

/** Of this registration, and none that had its name before. */
function lastOf(heard: Eyes["heard"], { metadata }: Registration): Heard | undefined {
  const last = heard.get(metadata.name);
  return last?.of === metadata.uid ? last : undefined;
}

function nameFor({ spec, metadata }: Ordered): string {
  return contentName(spec.bucketClassName, metadata.uid);
}

/**
 * The one under the name that follows from the Bucket, and none that only says that it is this Bucket's: two contents would be
 * two buckets. Such a one is put away when there is no Bucket that it could belong to.
 */
function contentOf(
  bucket: Ordered | undefined,
  named: Content | undefined,
  claiming: readonly Content[],
  key: string,
): Content | undefined {
  if (bucket !== undefined && named !== undefined && isOf(bucket, named)) return named;
  if (bucket !== undefined && !isLeaving(bucket)) return undefined;
  return claiming.find((one) => keyOfContent(one) === key);
}

function isOf({ metadata }: Ordered, { spec: { bucketRef } }: Content): boolean {
  const { uuid, namespace, name } = bucketRef;
  return uuid === metadata.uid && namespace === metadata.namespace && name === metadata.name;
}

/** After a restart all of them would be due at once; each has a moment of its own. */
function publishedAt(bucket: Ordered | undefined, begun: Date, reply: unknown): Date | undefined {
  if (isReply<Published>(reply, "publishedAt")) return reply.publishedAt;
  if (bucket === undefined || !isTrue(bucket.status?.conditions, "SecretPublished")) return undefined;
  const share = Number.parseInt(bucket.metadata.uid.slice(0, 4), 16) / 0xffff;
  return new Date(begun.getTime() - (Number.isNaN(share) ? 0 : share) * secretCheckSeconds * 1000);
}

function isReply<T extends object>(reply: unknown, member: keyof T & string): reply is T {
  return typeof reply === "object" && reply !== null && member in reply;
}
