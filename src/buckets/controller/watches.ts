import {
  type Bucket,
  type BucketClass,
  type BucketContent,
  bucketClasses,
  bucketContents,
  buckets,
  type COSIRegistration,
  cosiRegistrations,
} from "../../api/gen/cosi.ts";
import type { Stored } from "../../api/object.ts";
import { bare } from "../../runtime/bare.ts";
import type { Sources } from "../../runtime/sources.ts";
import type { Content } from "../content.ts";

export type Ordered = Stored<Bucket>;
export type Class = Stored<BucketClass>;
export type Registration = Stored<COSIRegistration>;

/** Everything that is looked at. Secrets are not among it: whoever may watch some may read all. */
export function bucketWatches(sources: Sources) {
  return {
    buckets: sources.watch(buckets, {
      project: bare<Bucket>,
      indexes: { uid: ({ metadata }) => [metadata.uid], class: ({ spec }) => [spec.bucketClassName] },
    }).cache,
    contents: sources.watch(bucketContents, {
      project: bare<BucketContent>,
      indexes: {
        bucket: ({ spec }) => [spec.bucketRef.uuid],
        driver: ({ spec }) => (spec.provisioner === undefined ? [] : [spec.provisioner]),
      },
    }).cache,
    classes: sources.watch(bucketClasses, { project: bare<BucketClass> }).cache,
    registrations: sources.watch(cosiRegistrations, { project: bare<COSIRegistration> }).cache,
  };
}

export type Watches = ReturnType<typeof bucketWatches>;

/** Of a namespace and a uid: fair to namespaces, and a Bucket that is made again under its name is another one. */
export function keyOfBucket({ metadata }: Ordered): string {
  return `${metadata.namespace ?? ""}/${metadata.uid}`;
}

/** A content outlives its Bucket, if it has to. */
export function keyOfContent({ spec: { bucketRef } }: Content): string {
  return `${bucketRef.namespace}/${bucketRef.uuid}`;
}

const uidLength = 36;

/** The uid of the Bucket whose content would have this name, whatever its reference says. */
export function uidIn({ metadata }: Content): string {
  return metadata.name.slice(-uidLength);
}
