import { contentName } from "../../api/buckets/names.ts";
import type { Look } from "../../runtime/reconciler.ts";
import { type Content, isTrue } from "../content.ts";
import type { Class, Ordered, Registration, Watches } from "./watches.ts";

/** A Bucket, or what is left of one. */
export interface Seen {
  readonly uid: string;
  readonly bucket: Ordered | undefined;
  readonly content: Content | undefined;
  /** Another one under the name that its content gets. */
  readonly namesake: Content | undefined;
  readonly bucketClass: Class | undefined;
  readonly driver: Registration | undefined;
  /** When its Secret was last seen to be as it should be; after a restart its status tells that it was, once. */
  readonly publishedAt: Date | undefined;
  /** Its Secret was taken away, or was never its own. */
  readonly secretIsGone: boolean;
  readonly now: Date;
}

export interface Published {
  readonly publishedAt: Date;
}

export interface SecretGone {
  readonly secretIsGone: true;
}

/** A Secret that somebody has deleted or changed is put right after this long: nobody watches Secrets. */
export const secretCheckSeconds = 600;

export function observe(watches: Watches, begun: Date, key: string, { now, reply }: Look): Seen | undefined {
  const uid = key.slice(key.indexOf("/") + 1);
  const [bucket] = watches.buckets.by("uid", uid);
  const [content] = watches.contents.by("bucket", uid);
  if (bucket === undefined && content === undefined) return undefined;
  const named = bucket === undefined ? undefined : watches.contents.get(contentName(bucket.spec.bucketClassName, uid));
  return {
    uid,
    bucket,
    content,
    namesake: named?.spec.bucketRef.uuid === uid ? undefined : named,
    bucketClass: watches.classes.get(bucket?.spec.bucketClassName ?? ""),
    driver: watches.registrations.get(driverOf(content)),
    publishedAt: publishedAt(bucket, begun, reply),
    secretIsGone: isReply<SecretGone>(reply, "secretIsGone"),
    now,
  };
}

export function driverOf(content: Content | undefined): string {
  return content?.spec.provisioner ?? "";
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
