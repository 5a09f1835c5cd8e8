import { isDeepStrictEqual } from "node:util";
import { bucketFinalizer, contentName, provisionerLabel, provisionerLabels } from "../../api/buckets/names.ts";
import { type Credentials, credentialsIn, formatsIn, secretData } from "../../api/buckets/secret-keys.ts";
import { type Secret, secrets } from "../../api/gen/core.ts";
import { bucketContents, buckets } from "../../api/gen/cosi.ts";
import { ApiError } from "../../kube/errors.ts";
import { Change } from "../../kube/json-patch.ts";
import type { Hand } from "../../runtime/hand.ts";
import { must, Overtaken } from "../../runtime/must.ts";
import type { Content } from "../content.ts";
import { controlledBy, isControlledBy } from "../secret-owner.ts";
import { contentFor } from "./content-for.ts";
import { Hindrance } from "./hindrance.ts";
import { notesOnRelease } from "./notes.ts";
import type { Step } from "./rules.ts";
import type { Published, SecretGone, Seen } from "./seen.ts";
import { readyStatus, releasedStatus } from "./status.ts";
import type { Ordered } from "./watches.ts";

const steps: Readonly<Record<Step, (seen: Seen, hand: Hand) => Promise<unknown>>> = {
  async "hold-bucket"({ bucket: found, bucketClass }, hand) {
    const bucket = must(found, "a Bucket");
    const change = new Change(bucket).addFinalizer(bucketFinalizer);
    const { [provisionerLabel]: label } = provisionerLabels(bucketClass?.provisioner);
    if (label !== undefined) change.set(["metadata", "labels", provisionerLabel], label);
    await hand.patch(buckets, bucket.metadata, change.operations);
  },
  async "make-content"(seen, hand) {
    const content = contentFor(must(seen.bucket, "a Bucket"), must(seen.bucketClass, "a class"));
    await hand.create(bucketContents, content).catch((problem: unknown) => {
      // Ours, from before a restart, or another's: the watch will show which.
      if (problem instanceof ApiError && problem.reason === "AlreadyExists") throw new Overtaken("a content is there");
      throw problem;
    });
  },
  /** Nobody else looks at it: there is no driver. */
  async "check-static-secret"({ content: found, now }, hand) {
    const content = must(found, "a content");
    await sourceOf(content, hand);
    const change = new Change(content).set(["status"], readyStatus(content, now));
    await hand.patch(bucketContents, content.metadata, change.operations, { subresource: "status" });
  },
  async "publish-secret"({ bucket: wanted, content: found, now }, hand): Promise<Published> {
    const bucket = must(wanted, "a Bucket");
    const content = must(found, "a content");
    const wished = secretFor(bucket, content, await sourceOf(content, hand));
    const place = { namespace: bucket.metadata.namespace ?? "", name: bucket.spec.secretName };
    const there = await hand.live.find(secrets, place, { signal: hand.signal });
    if (there === undefined) await hand.create(secrets, wished);
    else if (!isControlledBy(there, buckets, bucket.metadata.uid)) throw taken(bucket);
    else if (!isDeepStrictEqual(there.data, wished.data))
      await hand.update(secrets, { ...there, data: wished.data ?? {} });
    return { publishedAt: now };
  },
  async "delete-content"(seen, hand) {
    const { name, uid } = must(seen.content, "a content").metadata;
    if (seen.bucket === undefined) await requireBucketGone(must(seen.content, "a content"), hand);
    await hand.delete(bucketContents, { name, uid });
  },
  async "release-content"({ content: found, now }, hand) {
    const content = must(found, "a content");
    const change = new Change(content).set(["status"], releasedStatus(content, now));
    await hand.patch(bucketContents, content.metadata, change.operations, { subresource: "status" });
  },
  async "let-content-go"(seen, hand) {
    const content = must(seen.content, "a content");
    const change = new Change(content).removeFinalizer(bucketFinalizer);
    await hand.patch(bucketContents, content.metadata, change.operations);
    for (const note of notesOnRelease(seen)) hand.tell(note);
  },
  /** The garbage collector would do it too, unless somebody deleted the Bucket with its dependents left alone. */
  async "remove-secret"({ bucket: found }, hand): Promise<SecretGone> {
    const { metadata, spec } = must(found, "a Bucket");
    const place = { namespace: metadata.namespace ?? "", name: spec.secretName };
    const there = await hand.live.find(secrets, place, { signal: hand.signal });
    if (there !== undefined && isControlledBy(there, buckets, metadata.uid))
      await hand.delete(secrets, { ...place, uid: there.metadata.uid });
    return { secretIsGone: true };
  },
  async "let-bucket-go"(seen, hand) {
    const bucket = must(seen.bucket, "a Bucket");
    await requireContentGone(bucket, hand);
    await hand.patch(buckets, bucket.metadata, new Change(bucket).removeFinalizer(bucketFinalizer).operations);
  },
};

export async function act(step: Step, seen: Seen, hand: Hand): Promise<unknown> {
  return await steps[step](seen, hand);
}

/** The keys, as whoever knows them has written them down. */
async function sourceOf({ metadata, spec }: Content, { live, signal }: Hand): Promise<Credentials> {
  const place = must(spec.secretRef, "a source Secret");
  const found = await live.find(secrets, place, { signal });
  const read = credentialsIn(found?.data ?? {});
  const name = `${place.namespace}/${place.name}`;
  // A driver's sidecar could name any Secret of the cluster, and we may read them all.
  if (spec.mode !== "Static" && (found === undefined || !isControlledBy(found, bucketContents, metadata.uid)))
    throw new Hindrance("SourceSecretUnfit", `The Secret ${name} is not the one that the driver's sidecar made.`);
  if (read.is === "complete") return read.credentials;
  const what = found === undefined ? "is not there" : `lacks ${read.missing.join(", ")}`;
  throw new Hindrance("StaticSecretIncomplete", `The Secret ${name} of the class ${spec.bucketClassName} ${what}.`);
}

function secretFor(bucket: Ordered, { spec, status }: Content, credentials: Credentials): Secret {
  const wanted = formatsIn(spec.parameters);
  if (wanted.is === "unclear")
    throw new Hindrance("BucketClassUndefined", `The class ${spec.bucketClassName}: ${wanted.why}.`);
  return {
    metadata: {
      namespace: bucket.metadata.namespace ?? "",
      name: bucket.spec.secretName,
      ownerReferences: [controlledBy(buckets, bucket)],
    },
    type: "Opaque",
    data: secretData(credentials, wanted.formats, { pathStyle: status?.endpoint?.pathStyle ?? true }),
  };
}

function taken({ metadata, spec }: Ordered): Hindrance {
  const place = `${metadata.namespace ?? ""}/${spec.secretName}`;
  return new Hindrance("SecretConflict", `The Secret ${place} is not this Bucket's, and is left as it is.`);
}

/** A list that is behind shows neither the Bucket nor that it was never gone. */
async function requireBucketGone({ spec: { bucketRef } }: Content, { live, signal }: Hand): Promise<void> {
  const { namespace, name, uuid } = bucketRef;
  const found = await live.find(buckets, { namespace, name }, { signal });
  if (found?.metadata.uid === uuid && found.metadata.deletionTimestamp === undefined)
    throw new Overtaken("the Bucket is there");
}

/** The last who remembers the content is its Bucket. */
async function requireContentGone({ metadata, spec }: Ordered, { live, signal }: Hand): Promise<void> {
  const found = await live.find(bucketContents, { name: contentName(spec.bucketClassName, metadata.uid) }, { signal });
  if (found?.spec.bucketRef.uuid === metadata.uid) throw new Overtaken("the content is there");
}
