import { caseOf } from "../../api/buckets/class-case.ts";
import { bucketFinalizer, contentName, provisionerLabels, storeBucketName } from "../../api/buckets/names.ts";
import { defined } from "../../api/defined.ts";
import type { BucketContent, BucketContentSpec } from "../../api/gen/cosi.ts";
import { must } from "../../runtime/must.ts";
import type { Class, Ordered } from "./watches.ts";

/** The class is read here and never again: it may be gone, or another one, when the bucket is to be released. */
export function contentFor(bucket: Ordered, bucketClass: Class): BucketContent {
  const { namespace = "", name, uid, resourceVersion } = bucket.metadata;
  const { accessMode, supportedProtocols, parameters } = bucketClass;
  return {
    metadata: {
      name: contentName(bucket.spec.bucketClassName, uid),
      labels: provisionerLabels(bucketClass.provisioner),
      finalizers: [bucketFinalizer],
    },
    spec: {
      ...capturedFrom(bucketClass, bucket),
      bucketClassName: bucket.spec.bucketClassName,
      bucketRef: { name, namespace, uuid: uid, resourceVersion },
      ...defined({ supportedProtocols, parameters }),
      ...(accessMode === undefined ? {} : { accessModes: [accessMode] }),
    },
  };
}

type Captured = Pick<
  BucketContentSpec,
  "mode" | "provisioner" | "releasePolicy" | "secretRef" | "bucketIdentifier" | "bucketName"
>;

function capturedFrom(bucketClass: Class, { spec, metadata }: Ordered): Captured {
  const { is: mode, ...captured } = must(fitCase(bucketClass), "a class that means something");
  const bucketName = mode === "Greenfield" ? storeBucketName(spec.bucketPrefix, metadata.uid) : undefined;
  return { mode, ...captured, ...defined({ bucketName }) };
}

function fitCase(bucketClass: Class) {
  const found = caseOf(bucketClass);
  return found.is === "Undefined" ? undefined : found;
}
