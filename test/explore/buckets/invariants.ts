import { isDeepStrictEqual } from "node:util";
import { contentName } from "../../../src/api/buckets/names.ts";
import { secrets } from "../../../src/api/gen/core.ts";
import { bucketClasses, bucketContents, buckets } from "../../../src/api/gen/cosi.ts";
import type { KubeObject, Stored } from "../../../src/api/object.ts";
import { type Content, hasBegun, holds } from "../../../src/buckets/content.ts";
import { isControlledBy } from "../../../src/buckets/secret-owner.ts";
import { classFields } from "../../fixture/bucket-seen.ts";
import type { Invariant } from "../explore.ts";
import { allOf, objectOf, type Server } from "../model/server.ts";
import type { World } from "../world.ts";
import { keysFor, storeAccounts, storeBuckets } from "./store.ts";

const userSecret = "team/photos-keys";
const adminSecret = `${classFields.Static.secretRef.namespace}/${classFields.Static.secretRef.name}`;
const wasThere = "films";
/** Written out here: whoever breaks the product's list must not break this one. */
const needed = ["endpoint", "bucketName", "accessKeyID", "accessSecretKey"];

function lookAt({ server }: World) {
  return {
    buckets: allOf(server, buckets),
    contents: allOf(server, bucketContents),
    made: allOf(server, storeBuckets).filter(({ metadata }) => metadata.name !== wasThere),
    accounts: allOf(server, storeAccounts),
    secret: objectOf(server, secrets, userSecret),
  };
}

type Seen = ReturnType<typeof lookAt>;

const stays = ({ metadata }: Stored<KubeObject>) => metadata.deletionTimestamp === undefined;
const namesOf = (objects: readonly Stored<KubeObject>[]) => objects.map(({ metadata }) => metadata.name);
const isGivenBack = (content: Content) => holds(content, "Released");

/** Those that a sidecar could take back, because they are written down. */
function takenDown({ contents }: Seen): readonly Content[] {
  return contents.filter((content) => hasBegun(content) && !isGivenBack(content));
}

/** The Bucket for which this bucket was made, while it is not given up. */
function ownerOf(name: string, { buckets: all, contents }: Seen) {
  const content = contents.find(({ spec }) => spec.bucketName === name);
  const owner = all.find(({ metadata }) => metadata.uid === content?.spec.bucketRef.uuid);
  return { content, bucket: owner };
}

function keysAreGood({ secret, accounts, contents }: Seen): boolean {
  if (contents.some(({ spec }) => spec.mode === "Static")) return secret !== undefined;
  const found = accounts.map(({ metadata }) => keysFor(metadata.name).accessKeyID);
  return found.includes(Buffer.from(secret?.data?.["accessKeyID"] ?? "", "base64").toString());
}

function nameIsFree({ server }: World, uid: string): boolean {
  const secret = objectOf(server, secrets, userSecret);
  return secret === undefined || isControlledBy(secret, buckets, uid);
}

/** Whoever tears a content away takes along what only it knew. */
function isTorn(says: string): boolean {
  return says.includes("tears the content");
}

function changed(before: Server, after: Server, place: string): boolean {
  const [old, now] = [before, after].map((server) => objectOf(server, secrets, place));
  return old !== undefined && !isDeepStrictEqual(old, now);
}

export const invariants: readonly Invariant[] = [
  {
    id: "B1",
    says: "every bucket that was made is written down, or was to be kept",
    holds(world) {
      const seen = lookAt(world);
      if (world.done.some(isTorn)) return true;
      const known = new Set(takenDown(seen).map(({ spec }) => spec.bucketName));
      const kept = (name: string) => {
        const { content } = ownerOf(name, seen);
        return content === undefined || (content.spec.releasePolicy === "Retain" && isGivenBack(content));
      };
      const lost = namesOf(seen.made).filter((name) => !known.has(name) && !kept(name));
      return lost.length === 0 || `${lost.join()} is known to nobody`;
    },
  },
  {
    id: "B1",
    says: "what is given back is gone, or was to be kept and may have been used",
    holds(world, move) {
      if (move === undefined) return true;
      const [before, after] = [lookAt(move.before), lookAt(world)];
      const open = new Set(takenDown(after).map(({ metadata }) => metadata.uid));
      const done = takenDown(before).filter(({ metadata }) => !open.has(metadata.uid));
      const isLeft = ({ spec }: Content) =>
        namesOf(after.made).includes(spec.bucketName ?? "") &&
        (spec.releasePolicy === "Delete" || spec.secretRef === undefined);
      return isTorn(move.says) || !done.some(isLeft) || "its bucket is still there";
    },
  },
  {
    id: "B2",
    says: "a bucket goes only when its Bucket goes, by its policy, and after its keys",
    holds(world, move) {
      if (move === undefined) return true;
      const [before, after] = [lookAt(move.before), lookAt(world)];
      const left = new Set(namesOf(after.made));
      for (const name of namesOf(before.made).filter((one) => !left.has(one))) {
        const { content, bucket } = ownerOf(name, before);
        if (bucket !== undefined && stays(bucket)) return `${name} is gone, and its Bucket stays`;
        if (content?.spec.releasePolicy !== "Delete" && content?.spec.secretRef !== undefined)
          return `${name} is gone, and was to be kept`;
        if (before.accounts.some((account) => account.bucket === name)) return `${name} is gone, and its keys are not`;
      }
      return true;
    },
  },
  {
    id: "B2",
    says: "a bucket that was there before stays",
    holds: ({ server }) => objectOf(server, storeBuckets, wasThere) !== undefined || "it is gone",
  },
  {
    id: "B3",
    says: "every key is written down before it is good, and void when its content is given back",
    holds(world) {
      const seen = lookAt(world);
      const known = new Set(takenDown(seen).flatMap(({ status }) => (status?.accounts ?? []).map(({ name }) => name)));
      const orphaned = namesOf(seen.accounts).filter((name) => !known.has(name));
      return world.done.some(isTorn) || orphaned.length === 0 || `${orphaned.join()} is good, and nobody knows`;
    },
  },
  {
    id: "B3",
    says: "a Bucket goes after its keys and its Secret, and a content after its own",
    holds(world, move) {
      if (move === undefined || move.says.includes("tears the")) return true;
      const [before, after] = [lookAt(move.before), lookAt(world)];
      const left = new Set(after.buckets.map(({ metadata }) => metadata.uid));
      for (const { metadata } of before.buckets.filter((one) => !left.has(one.metadata.uid))) {
        const isLeft = before.accounts.some(
          ({ bucket }) => ownerOf(bucket, before).bucket?.metadata.uid === metadata.uid,
        );
        if (isLeft) return "a key is good";
        if (before.secret !== undefined && isControlledBy(before.secret, buckets, metadata.uid))
          return "the Secret is still there";
      }
      const wasOpen = new Set(takenDown(before).map(({ metadata }) => metadata.uid));
      const done = after.contents.filter((one) => isGivenBack(one) && wasOpen.has(one.metadata.uid));
      const isCopied = ({ metadata }: Content) =>
        allOf(world.server, secrets).some((secret) => isControlledBy(secret, bucketContents, metadata.uid));
      return !done.some(isCopied) || "the sidecar still has the keys";
    },
  },
  {
    id: "B3",
    says: "a bound Bucket has keys that are good",
    holds(world) {
      const seen = lookAt(world);
      const bound = seen.buckets.filter((bucket) => stays(bucket) && bucket.status?.phase === "Bound");
      return bound.length === 0 || world.done.some(isTorn) || keysAreGood(seen) || "they are not";
    },
  },
  {
    id: "B3",
    says: "no bucket has two accounts of one content",
    holds(world) {
      const { accounts, contents } = lookAt(world);
      const isOf = ({ metadata }: Content) => accounts.filter((one) => one.metadata.name.includes(metadata.uid)).length;
      return contents.every((content) => isOf(content) <= 1) || "there are two";
    },
  },
  {
    id: "B4",
    says: "a Secret that is not this Bucket's is left as it is",
    holds(world, move) {
      if (move === undefined || move.says.startsWith("somebody")) return true;
      const before = objectOf(move.before.server, secrets, userSecret);
      if ((before?.metadata.ownerReferences ?? []).length > 0) return true;
      return !changed(move.before.server, world.server, userSecret) || "it is changed";
    },
  },
  {
    id: "B5",
    says: "an administrator's Secret is left as it is",
    holds: (world, move) =>
      move === undefined ||
      move.says.startsWith("somebody") ||
      !changed(move.before.server, world.server, adminSecret) ||
      "it is changed",
  },
  {
    id: "B7",
    says: "a bound Bucket gets no second content",
    holds(world, move) {
      if (move === undefined) return true;
      const old = new Set(lookAt(move.before).contents.map(({ metadata }) => metadata.uid));
      const { contents, buckets: all } = lookAt(world);
      const fresh = contents.filter(({ metadata }) => !old.has(metadata.uid));
      const isSecond = fresh.some(({ spec }) =>
        all.some(({ metadata, status }) => metadata.uid === spec.bucketRef.uuid && status?.phase === "Bound"),
      );
      return !isSecond || "there is one";
    },
  },
  {
    id: "B8",
    says: "a Bucket and its content name each other, and nobody else",
    holds(world) {
      const { buckets: all, contents } = lookAt(world);
      for (const { metadata, spec, status } of all) {
        const own = contents.filter((content) => content.spec.bucketRef.uuid === metadata.uid);
        if (own.length > 1) return `${own.length} contents`;
        const name = contentName(spec.bucketClassName, metadata.uid);
        if ((status?.bucketContentName ?? name) !== name || own.some((one) => one.metadata.name !== name))
          return "another name";
      }
      return true;
    },
  },
  {
    id: "C1",
    says: "a user's Secret is complete from the beginning",
    holds(world) {
      const { secret, buckets: all } = lookAt(world);
      if (secret === undefined || !all.some(({ metadata }) => isControlledBy(secret, buckets, metadata.uid)))
        return true;
      const missing = needed.filter((key) => (secret.data?.[key] ?? "") === "");
      return missing.length === 0 || `it lacks ${missing.join()}`;
    },
  },
  {
    id: "C2",
    at: "rest",
    says: "what somebody waits for comes",
    holds(world) {
      const { buckets: all } = lookAt(world);
      const hasClass = objectOf(world.server, bucketClasses, "gold") !== undefined;
      if (needed.some((key) => objectOf(world.server, secrets, adminSecret)?.data?.[key] === undefined)) return true;
      const waiting = all.filter(
        (bucket) => stays(bucket) && bucket.status?.phase !== "Bound" && nameIsFree(world, bucket.metadata.uid),
      );
      return waiting.length === 0 || !hasClass || world.done.some(isTorn) || "a Bucket is not bound";
    },
  },
  {
    id: "C3",
    at: "rest",
    says: "what goes is gone, and nothing is left of it",
    holds(world) {
      const { buckets: all, contents, accounts } = lookAt(world);
      const uids = new Set(all.filter(stays).map(({ metadata }) => metadata.uid));
      if (all.some((bucket) => !stays(bucket))) return "a Bucket is still there";
      const left = contents.filter(({ spec }) => !uids.has(spec.bucketRef.uuid));
      if (left.length > 0) return "a content is still there";
      const owned = allOf(world.server, secrets).filter(({ metadata }) => metadata.ownerReferences !== undefined);
      if (owned.length > 2 * uids.size) return "a Secret is still there";
      return uids.size > 0 || accounts.length === 0 || world.done.some(isTorn) || "a key is good";
    },
  },
];
