import { limitParameters } from "../../api/buckets/limits.ts";
import { defined } from "../../api/defined.ts";
import { type BucketContentSpec, bucketContents, buckets } from "../../api/gen/cosi.ts";
import type { Note } from "../../runtime/report.ts";
import type { Seen } from "./seen.ts";

/** With its content goes the only record of a bucket that is kept: whoever wants it back needs this. */
export function notesOnRelease({ bucket, content }: Seen): readonly Note[] {
  if (content === undefined || content.spec.mode === "Static") return [];
  const about =
    bucket === undefined ? { resource: bucketContents, object: content } : { resource: buckets, object: bucket };
  const { mode, releasePolicy, bucketIdentifier, bucketClassName } = content.spec;
  const told = (reason: string, message: string): readonly Note[] => [{ ...about, type: "Normal", reason, message }];
  if (bucketIdentifier === undefined) return [];
  if (releasePolicy === "Delete")
    return told("BucketDeleted", "Its keys are void, and the bucket is gone with everything in it.");
  if (mode === "Brownfield")
    return told(
      "BucketRetained",
      `Its keys are void, and the bucket is kept: a Bucket of ${bucketClassName} opens it again.`,
    );
  return told(
    "BucketRetained",
    `Its keys are void, and the bucket is kept. This class opens it again: ${classFor(content.spec, bucketIdentifier)}`,
  );
}

const longestMessage = 900;

/** As `kubectl apply -f -` takes it. An Event is cut at its end: what is needed least is left out first. */
export function classFor(spec: BucketContentSpec, bucketIdentifier: string): string {
  const { accessModes: [accessMode] = [], provisioner, supportedProtocols, bucketClassName, bucketRef } = spec;
  const least = {
    apiVersion: "cosi.io/v1alpha1",
    kind: "BucketClass",
    metadata: { name: nameAfter(bucketClassName, bucketRef.uuid) },
    ...defined({ provisioner }),
    bucketIdentifier,
    releasePolicy: "Retain",
    ...defined({ accessMode }),
  };
  const parameters = withoutLimits(spec.parameters);
  const whole = JSON.stringify({ ...least, ...defined({ supportedProtocols, parameters }) });
  return whole.length <= longestMessage ? whole : JSON.stringify(least);
}

/** A bucket that exists keeps its own limits, and a class that says otherwise is refused. */
function withoutLimits(parameters: BucketContentSpec["parameters"]): BucketContentSpec["parameters"] {
  const left = Object.entries(parameters ?? {}).filter(([name]) => !(name in limitParameters));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

const longestName = 253;
const someOfUid = 8;

/** Two buckets of one class need two classes to be opened again. */
function nameAfter(className: string, bucketUid: string): string {
  const ending = `-again-${bucketUid.slice(0, someOfUid)}`;
  return `${className.slice(0, longestName - ending.length).replace(/[.-]+$/, "")}${ending}`;
}
