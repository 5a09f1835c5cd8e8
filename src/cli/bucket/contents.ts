import { contentName } from "../../api/buckets/names.ts";
import { type BucketContent, bucketClasses, bucketContents } from "../../api/gen/cosi.ts";
import type { Stored } from "../../api/object.ts";
import { type Eyes, type Sight, valueOf } from "../kubectl/eyes.ts";
import { type Terms, termsOfClass, termsOfContent } from "./terms.ts";
import type { Order } from "./told.ts";

export type Content = Stored<BucketContent>;

/** The content of a Bucket, for those who may see contents; another's under its name is not its own. */
export async function contentOf(eyes: Eyes, { metadata, spec }: Order): Promise<Sight<Content | undefined>> {
  const sight = await eyes.find(bucketContents, { name: contentName(spec.bucketClassName, metadata.uid) });
  const isOurs = sight.is === "unseen" || sight.value?.spec.bucketRef.uuid === metadata.uid;
  return isOurs ? sight : { is: "seen", value: undefined };
}

/** A content has kept what its class said. A class never changes, but one that is younger than that may be another one. */
export async function termsFor(eyes: Eyes, bucket: Order, content: Content | undefined): Promise<Terms | undefined> {
  if (content !== undefined) return termsOfContent(content);
  const bucketClass = valueOf(await eyes.find(bucketClasses, { name: bucket.spec.bucketClassName }));
  const { creationTimestamp = "" } = bucketClass?.metadata ?? {};
  const isTheOne = bucket.status?.bucketContentName === undefined || creationTimestamp <= resolvedAt(bucket);
  return bucketClass === undefined || !isTheOne ? undefined : termsOfClass(bucketClass);
}

function resolvedAt({ status }: Order): string {
  const known = status?.conditions?.find(({ type, status: is }) => type === "ClassResolved" && is === "True");
  return known?.lastTransitionTime ?? "";
}
