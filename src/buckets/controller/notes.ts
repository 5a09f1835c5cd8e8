import { limitParameters } from "../../api/buckets/limits.ts";
import { ownParameters } from "../../api/buckets/parameters.ts";
import { defined } from "../../api/defined.ts";
import { type BucketContentSpec, bucketContents, buckets } from "../../api/gen/cosi.ts";
import type { Note } from "../../runtime/report.ts";
import type { Seen } from "./seen.ts";

/**
 * With its content goes the only record of a bucket that is kept: whoever wants it back needs this. What the class says to the driver
 * is for those who see classes, so the whole of it stands on the content.
 */
export function notesOnRelease({ bucket, content }: Seen): readonly Note[] {
  if (content === undefined || content.spec.mode === "Static") return [];
  const { spec } = content;
  if (spec.bucketIdentifier === undefined) return [];
  const type = "Normal";
  const onContent = { resource: bucketContents, object: content, type } as const;
  const about = bucket === undefined ? onContent : ({ resource: buckets, object: bucket, type } as const);
  if (spec.releasePolicy === "Delete") {
    const message = "Its keys are void, and the bucket is gone with everything in it.";
    return [{ ...about, reason: "BucketDeleted", message }];
  }
  const reason = "BucketRetained";
  if (spec.mode === "Brownfield") {
    const message = `Its keys are void, and the bucket is kept: a Bucket of ${spec.bucketClassName} opens it again.`;
    return [{ ...about, reason, message }];
  }
  const opens = (again: string) => `Its keys are void, and the bucket is kept. This class opens it again: ${again}`;
  const whole = { ...onContent, reason, message: opens(classFor(spec, spec.bucketIdentifier)) };
  if (bucket === undefined) return [whole];
  const shown = { ...spec, parameters: ownParameters(spec.parameters) };
  return [{ ...about, reason, message: opens(classFor(shown, spec.bucketIdentifier)) }, whole];
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
