import { isDeepStrictEqual } from "node:util";
import { bucketFinalizer, contentName, provisionerLabel, provisionerLabels } from "../../api/buckets/names.ts";
import { type Credentials, credentialsIn, formatsIn, secretData } from "../../api/buckets/secret-keys.ts";
import { leases } from "../../api/gen/coordination.ts";
import { type Secret, secrets } from "../../api/gen/core.ts";
import { bucketContents, buckets } from "../../api/gen/cosi.ts";
import { reasons } from "../../api/reasons.ts";
import { ApiError } from "../../kube/errors.ts";
import { Change } from "../../kube/json-patch.ts";
import type { Hand } from "../../runtime/hand.ts";
import { must, Overtaken } from "../../runtime/must.ts";
import type { Content } from "../content.ts";
import { renewedAt } from "../lease.ts";
import { isControlledBy, madeFor, wasMadeFor } from "../secret-owner.ts";
import { contentFor } from "./content-for.ts";
import { Hindrance } from "./hindrance.ts";
import { notesOnRelease } from "./notes.ts";
import type { Step } from "./rules.ts";
import type { Heard, Published, SecretGone, Seen } from "./seen.ts";
import { leavingStatus, readyStatus, releasedStatus } from "./status.ts";
import type { Ordered } from "./watches.ts";

/** What drivers were last heard of; the next look sees it. */
export type Ears = Pick<Map<string, Heard>, "set">;

const steps: Readonly<Record<Step, (seen: Seen, hand: Hand, ears: Ears) => Promise<unknown>>> = {
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
  /** Only whoever waits asks, and one for all: a thousand Buckets of a driver that is gone must not become a thousand questions. */
  async "look-for-driver"({ driver: found, now }, { live, signal }, ears) {
    const { metadata, spec } = must(found, "a driver");
    const lease = await live.find(leases, { namespace: spec.namespace, name: spec.leaseName }, { signal });
    ears.set(metadata.name, { of: metadata.uid, at: now, renewedAt: renewedAt(lease) });
  },
  async "delete-content"(seen, hand) {
    const content = must(seen.content, "a content");
    if (seen.bucket === undefined) await requireBucketGone(content, hand);
    await hand.delete(bucketContents, { name: content.metadata.name, uid: content.metadata.uid });
  },
  /** Until this is written its sidecar takes nothing back, whoever has deleted the content. */
  async "tell-driver"(seen, hand) {
    const content = must(seen.content, "a content");
    if (seen.bucket === undefined) await requireBucketGone(content, hand);
    const change = new Change(content).set(["status"], leavingStatus(content, seen.now));
    await hand.patch(bucketContents, content.metadata, change.operations, { subresource: "status" });
  },
  async "release-content"({ content: found, now }, hand) {
    const content = must(found, "a content");
    const change = new Change(content).set(["status"], releasedStatus(content, now));
    await hand.patch(bucketContents, content.metadata, change.operations, { subresource: "status" });
  },
  async "let-content-go"(seen, hand) {
    const content = must(seen.content, "a content");
    // Told first, because it is the only record that is left: rather twice than never.
    for (const note of notesOnRelease(seen)) hand.tell(note);
    const change = new Change(content).removeFinalizer(bucketFinalizer);
    await hand.patch(bucketContents, content.metadata, change.operations);
  },
  /** The garbage collector would do it too, unless somebody deleted the Bucket with its dependents left alone. */
  async "remove-secret"({ bucket: found }, hand): Promise<SecretGone> {
    const bucket = must(found, "a Bucket");
    // A list that is behind shows no content whose keys are still good.
    await requireContentGone(bucket, hand);
    const { metadata, spec } = bucket;
    const place = { namespace: metadata.namespace ?? "", name: spec.secretName };
    const there = await hand.live.find(secrets, place, { signal: hand.signal });
    if (there !== undefined && wasMadeFor(there, buckets, metadata.uid))
      await hand.delete(secrets, { ...place, uid: there.metadata.uid });
    return { secretIsGone: true };
  },
  async "let-bucket-go"(seen, hand) {
    const bucket = must(seen.bucket, "a Bucket");
    await requireContentGone(bucket, hand);
    await hand.patch(buckets, bucket.metadata, new Change(bucket).removeFinalizer(bucketFinalizer).operations);
  },
};

export async function act(step: Step, seen: Seen, hand: Hand, ears: Ears): Promise<unknown> {
  return await steps[step](seen, hand, ears);
}

/**
 * The keys, as whoever knows them has written them down. Where that is, is not for the owner of the Bucket to know: whoever may
 * see the class finds the place there.
 */
async function sourceOf({ metadata, spec }: Content, { live, signal }: Hand): Promise<Credentials> {
  const found = await live.find(secrets, must(spec.secretRef, "a source Secret"), { signal }).catch(unreadable);
  const read = credentialsIn(found?.data ?? {});
  // A driver's sidecar could name any Secret of the cluster, and we may read them all.
  if (spec.mode !== "Static" && (found === undefined || !isControlledBy(found, bucketContents, metadata.uid)))
    throw new Hindrance("SourceSecretUnfit", reasons.SourceSecretUnfit.says);
  if (read.is === "complete") return read.credentials;
  const what = found === undefined ? "is not there" : `lacks ${read.missing.join(", ")}`;
  if (spec.mode !== "Static") throw new Hindrance("SourceSecretUnfit", `The Secret with the keys ${what}.`);
  throw new Hindrance("StaticSecretIncomplete", `The Secret that the class ${spec.bucketClassName} names ${what}.`);
}

function unreadable(problem: unknown): never {
  if (problem instanceof ApiError && problem.trouble === "refused")
    throw new Hindrance("SourceSecretUnfit", "Portway may not read the Secret with the keys.");
  throw problem;
}

function secretFor(bucket: Ordered, { spec, status }: Content, credentials: Credentials): Secret {
  const wanted = formatsIn(spec.parameters);
  if (wanted.is === "unclear")
    throw new Hindrance("ParameterUnfit", `The class ${spec.bucketClassName}: ${wanted.why}.`);
  return {
    metadata: {
      namespace: bucket.metadata.namespace ?? "",
      name: bucket.spec.secretName,
      ...madeFor(buckets, bucket),
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
