import { credentialsIn } from "../../../src/api/buckets/secret-keys.ts";
import type { Secret } from "../../../src/api/gen/core.ts";
import { type Bucket, type BucketContent, bucketContents, buckets } from "../../../src/api/gen/cosi.ts";
import type { Stored } from "../../../src/api/object.ts";
import { hasBegun, holds } from "../../../src/buckets/content.ts";
import { isControlledBy } from "../../../src/buckets/secret-owner.ts";
import { currentOf, type StateRule, type Version } from "../../faults/monitor.ts";

const isThere = (resource: string) => (version: Version) => version.resource === resource && version.type !== "DELETED";
const isBucket = isThere("buckets");
const isContent = isThere("bucketcontents");
const isSecret = isThere("secrets");
const bucketIn = ({ object }: Version) => object as Stored<Bucket>;
const contentIn = ({ object }: Version) => object as Stored<BucketContent>;
const secretIn = ({ object }: Version) => object as Stored<Secret>;
const isHeld = ({ object }: Version) => object.metadata.finalizers?.includes("cosi.io/finalizer") === true;

/** The Bucket or the content that a Secret was made for. */
function ownerOf({ object }: Version): string | undefined {
  const kinds = [buckets.kind, bucketContents.kind];
  const owner = (object.metadata.ownerReferences ?? []).find(
    ({ kind, controller }) => controller && kinds.includes(kind),
  );
  return owner?.uid;
}

const contentsFor = (uid: string, history: readonly Version[]) =>
  history.filter((one) => one.resource === "bucketcontents" && contentIn(one).spec.bucketRef.uuid === uid);

const begunBeforeKnown: StateRule = {
  id: "B1",
  says: "a content says that it begins, and by which account, before anything is known of its bucket",
  holds(version) {
    if (!isContent(version)) return true;
    const content = contentIn(version);
    const { mode, secretRef, bucketIdentifier } = content.spec;
    const isKnown = secretRef !== undefined || (mode === "Greenfield" && bucketIdentifier !== undefined);
    const isFirst = content.status?.accountID !== undefined || isKnown;
    return mode === "Static" || !isFirst || hasBegun(content) || "nothing says that it has begun";
  },
};

const wholeSecrets: StateRule = {
  id: "B3",
  says: "a Secret that is ours is complete in every version",
  holds(version) {
    if (!isSecret(version) || ownerOf(version) === undefined) return true;
    const read = credentialsIn(secretIn(version).data ?? {});
    return read.is === "complete" || `it lacks ${read.missing.join(", ")}`;
  },
};

const boundToItsSecret: StateRule = {
  id: "B3",
  says: "a Bucket is Bound when its Secret is there, and no sooner",
  holds(version, history) {
    if (!isBucket(version)) return true;
    const { metadata, spec, status } = bucketIn(version);
    const before = history.findLast(({ uid }) => uid === version.uid);
    const isNew = before === undefined || bucketIn(before).status?.phase !== "Bound";
    if (status?.phase !== "Bound" || !isNew) return true;
    const secret = currentOf(history).find(({ key }) => key === `${metadata.namespace ?? ""}/${spec.secretName}`);
    const isOurs = secret !== undefined && isControlledBy(secretIn(secret), buckets, metadata.uid);
    return isOurs || "its Secret is not there";
  },
};

const sourceBeforeReady: StateRule = {
  id: "B3",
  says: "a content points at a Secret that is there",
  holds(version, history) {
    if (!isContent(version)) return true;
    const { metadata, spec } = contentIn(version);
    const before = history.findLast(({ uid }) => uid === version.uid);
    if (spec.mode === "Static" || spec.secretRef === undefined) return true;
    if (before !== undefined && contentIn(before).spec.secretRef !== undefined) return true;
    // How it came to be was forgotten with the case before this one; its Secret goes before it does.
    if (before === undefined && metadata.deletionTimestamp !== undefined) return true;
    const { namespace, name } = spec.secretRef;
    const secret = currentOf(history).find(({ key }) => key === `${namespace}/${name}`);
    const isOurs = secret !== undefined && isControlledBy(secretIn(secret), bucketContents, metadata.uid);
    return isOurs || "its Secret is not there";
  },
};

/** The tests themselves only make and delete them. */
const foreignSecrets: StateRule = {
  id: "B4",
  says: "a Secret of somebody else is never changed, and never becomes ours",
  holds(version, history) {
    if (!isSecret(version) || version.type !== "MODIFIED") return true;
    const before = history.findLast(({ uid }) => uid === version.uid);
    const isAsked = /\/(keys|admins)$/.test(version.key);
    return !isAsked || before === undefined || ownerOf(before) !== undefined || "it was changed";
  },
};

const oneContent: StateRule = {
  id: "B8",
  says: "a Bucket has one content ever, which is made when the Bucket is held",
  holds(version, history) {
    if (!isContent(version) || version.type !== "ADDED") return true;
    const { uuid } = contentIn(version).spec.bucketRef;
    const others = contentsFor(uuid, history).filter(({ uid }) => uid !== version.uid);
    if (others.length > 0) return `${others[0]?.uid ?? ""} was its content before`;
    const bucket = currentOf(history).find(({ uid }) => uid === uuid);
    return (bucket !== undefined && isHeld(bucket)) || "its Bucket is not held";
  },
};

const namesItsContent: StateRule = {
  id: "B8",
  says: "a Bucket names a content that names the Bucket",
  holds(version, history) {
    if (!isBucket(version)) return true;
    const name = bucketIn(version).status?.bucketContentName;
    if (name === undefined) return true;
    const isMutual = contentsFor(version.uid, history).some(({ key }) => key === name);
    return isMutual || `${name} is not its content`;
  },
};

/** Unless somebody tears it away. */
export const releasedBeforeGone: StateRule = {
  id: "B3",
  says: "a content goes when it is released, a Bucket when nothing of it is left",
  holds(version, history) {
    if (version.type !== "DELETED") return true;
    if (version.resource === "bucketcontents") return holds(contentIn(version), "Released") || "it was not released";
    if (version.resource !== "buckets") return true;
    const left = currentOf(history).filter(
      (one) => contentsFor(version.uid, [one]).length > 0 || (isSecret(one) && ownerOf(one) === version.uid),
    );
    // Whoever else holds it has a reason of its own.
    const ours = left.filter(({ object }) => object.metadata.deletionTimestamp === undefined);
    return ours.length === 0 || `${ours.map(({ resource, key }) => `${resource}/${key}`).join(", ")} is left`;
  },
};

const releasedWithoutKeys: StateRule = {
  id: "B3",
  says: "a content that is released has no Secret of its own any more",
  holds(version, history) {
    if (!isContent(version) || !holds(contentIn(version), "Released")) return true;
    const left = currentOf(history).filter((one) => isSecret(one) && ownerOf(one) === version.uid);
    return left.length === 0 || `${left[0]?.key ?? ""} is left`;
  },
};

/** What must be true of every state that is ever stored. */
export const stateRules: readonly StateRule[] = [
  begunBeforeKnown,
  wholeSecrets,
  boundToItsSecret,
  sourceBeforeReady,
  foreignSecrets,
  oneContent,
  namesItsContent,
  releasedBeforeGone,
  releasedWithoutKeys,
];
