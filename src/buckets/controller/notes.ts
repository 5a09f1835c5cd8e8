import { buckets } from "../../api/gen/cosi.ts";
import type { Note } from "../../runtime/report.ts";
import type { Seen } from "./seen.ts";

/** With its content goes the only record of a bucket that is kept: whoever wants it back needs this. */
export function notesOnRelease({ bucket, content }: Seen): readonly Note[] {
  if (bucket === undefined || content === undefined || content.spec.mode === "Static") return [];
  const { releasePolicy, bucketIdentifier, provisioner = "", bucketClassName } = content.spec;
  const about = { resource: buckets, object: bucket, type: "Normal" } as const;
  if (releasePolicy === "Delete")
    return [
      {
        ...about,
        reason: "BucketDeleted",
        message: "Its keys are void, and the bucket is gone with everything in it.",
      },
    ];
  if (bucketIdentifier === undefined) return [];
  const again = `{apiVersion: cosi.io/v1alpha1, kind: BucketClass, metadata: {name: ${bucketClassName}-again}, provisioner: ${provisioner}, bucketIdentifier: ${JSON.stringify(bucketIdentifier)}, releasePolicy: Retain}`;
  const message = `Its keys are void, and the bucket is kept. A Bucket of this class gets it back: ${again}`;
  return [{ ...about, reason: "BucketRetained", message }];
}
