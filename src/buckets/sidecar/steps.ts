import { isDeepStrictEqual } from "node:util";
import { sourceSecretName } from "../../api/buckets/names.ts";
import { type Secret, secrets } from "../../api/gen/core.ts";
import { bucketContents } from "../../api/gen/cosi.ts";
import { ApiError } from "../../kube/errors.ts";
import { Change } from "../../kube/json-patch.ts";
import type { Hand } from "../../runtime/hand.ts";
import { must, Overtaken } from "../../runtime/must.ts";
import { accountOf, type Content, isGivenUp } from "../content.ts";
import { isControlledBy, madeFor, wasMadeFor } from "../secret-owner.ts";
import { accessIn, accessOnCreate, madeIn } from "./answers.ts";
import { asked, unlessGone } from "./asked.ts";
import { accessModeOf, parametersOf, quotaOf } from "./request.ts";
import type { Step } from "./rules.ts";
import { circumstancesOf, type Progress, type Seen } from "./seen.ts";
import { releasedStatus, startedStatus } from "./status.ts";
import type { Tools } from "./tools.ts";

type Act = (seen: Seen, hand: Hand, tools: Tools) => Promise<Progress>;

const steps: Readonly<Record<Step, Act>> = {
  /** From here on whatever the driver has made or granted can be found and taken back, by names that follow from the content's. */
  async "record-start"(seen, hand) {
    const { content, now } = seen;
    const change = new Change(content).set(["status"], startedStatus(content, accountOf(content), now));
    await hand.patch(bucketContents, content.metadata, change.operations, { subresource: "status" });
    return { hasBegun: true };
  },
  async "create-bucket"(seen, hand, tools) {
    const { content, driver, progress } = seen;
    await requireContent(seen, hand);
    return await asked("create-bucket", seen, hand, tools, async ({ createBucket }, options) => {
      const answer = await createBucket(
        {
          name: must(content.spec.bucketName, "a name for the bucket"),
          parameters: parametersOf(content),
          ...quotaIn(content),
          ...(driver.grantsOnCreate ? { accountName: accountOf(content), accessMode: accessModeOf(content) } : {}),
        },
        options,
      );
      const access = accessOnCreate(answer, driver.grantsOnCreate);
      return { ...progress, bucket: madeIn(answer), ...(access === undefined ? {} : { access }) };
    });
  },
  async "grant-access"(seen, hand, tools) {
    const { content, progress } = seen;
    await requireContent(seen, hand);
    return await asked("grant-access", seen, hand, tools, async ({ grantBucketAccess }, options) => {
      const answer = await grantBucketAccess(
        {
          bucketId: bucketIdOf(seen),
          accountName: accountOf(content),
          accessMode: accessModeOf(content),
          parameters: parametersOf(content),
        },
        options,
      );
      return { ...progress, access: accessIn(answer) };
    });
  },
  async "store-secret"(seen, hand, { home }) {
    const { content, progress } = seen;
    const wished = secretFor(content, progress, home);
    const place = { namespace: home, name: sourceSecretName(content.metadata.uid) };
    // One that was made before a restart; in one go there can be none.
    const there =
      progress.hasBegun === true ? undefined : await hand.live.find(secrets, place, { signal: hand.signal });
    if (there !== undefined) {
      if (!isControlledBy(there, bucketContents, content.metadata.uid)) return planted(seen, place.name);
      if (!isDeepStrictEqual(there.data, wished.data))
        await hand.update(secrets, { ...there, data: wished.data ?? {} });
      return { ...progress, secretIsStored: true };
    }
    try {
      await hand.create(secrets, wished);
      return { ...progress, secretIsStored: true };
    } catch (problem) {
      if (!(problem instanceof ApiError && problem.reason === "AlreadyExists")) throw problem;
      const { hasBegun: _, ...rest } = progress;
      return rest;
    }
  },
  async "point-at-secret"({ content, progress }, hand, { home }) {
    const { uid } = content.metadata;
    const change = new Change(content).set(["spec", "secretRef"], { namespace: home, name: sourceSecretName(uid) });
    if (content.spec.bucketIdentifier === undefined)
      change.set(["spec", "bucketIdentifier"], must(progress.bucket, "a bucket").id);
    await hand.patch(bucketContents, content.metadata, change.operations);
    return progress;
  },
  /** All that may have been granted: an answer that was lost is no proof that nothing was. */
  async "revoke-access"(seen, hand, tools) {
    const { content, progress } = seen;
    return await asked("revoke-access", seen, hand, tools, async ({ revokeBucketAccess }, options) => {
      const { bucketIdentifier: bucketId = "", bucketName = "" } = content.spec;
      const parameters = parametersOf(content);
      for (const { name, id = "" } of content.status?.accounts ?? [])
        await unlessGone(
          revokeBucketAccess({ bucketId, bucketName, accountId: id, accountName: name, parameters }, options),
        );
      return { ...progress, isRevoked: true };
    });
  },
  async "delete-bucket"(seen, hand, tools) {
    const { content, driver, progress } = seen;
    const { mode, bucketIdentifier = "", bucketName = "", releasePolicy, secretRef } = content.spec;
    if (mode !== "Greenfield") throw new Error("a bucket that was there before is never deleted");
    const purge = releasePolicy === "Delete" && secretRef !== undefined && driver.purges;
    return await asked("delete-bucket", seen, hand, tools, async ({ deleteBucket }, options) => {
      const parameters = parametersOf(content);
      await unlessGone(deleteBucket({ bucketId: bucketIdentifier, name: bucketName, parameters, purge }, options));
      return { ...progress, isDeleted: true };
    });
  },
  async "remove-secret"({ content, progress }, hand, { home }) {
    const place = { namespace: home, name: sourceSecretName(content.metadata.uid) };
    const there = await hand.live.find(secrets, place, { signal: hand.signal });
    if (there !== undefined && wasMadeFor(there, bucketContents, content.metadata.uid))
      await hand.delete(secrets, { ...place, uid: there.metadata.uid });
    return { ...progress, secretIsGone: true };
  },
  async "tell-release"({ content, progress, now }, hand) {
    const change = new Change(content).set(["status"], releasedStatus(content, now));
    await hand.patch(bucketContents, content.metadata, change.operations, { subresource: "status" });
    return progress;
  },
};

export async function act(step: Step, seen: Seen, hand: Hand, tools: Tools): Promise<Progress> {
  return await steps[step](seen, hand, tools);
}

/** After a restart a list may be old: whoever asks for a content that is gone makes a bucket for nobody. */
async function requireContent({ content, progress }: Seen, { live, signal }: Hand): Promise<void> {
  if (progress.hasBegun === true) return;
  const { name, uid } = content.metadata;
  const found = await live.find(bucketContents, { name }, { signal });
  if (found?.metadata.uid !== uid || isGivenUp(found)) throw new Overtaken("the content goes, or is gone");
}

function bucketIdOf({ content, progress }: Seen): string {
  return must(content.spec.bucketIdentifier ?? progress.bucket?.id, "a bucket");
}

/** Somebody has put a Secret where ours would be: it is neither used nor overwritten. */
function planted(seen: Seen, name: string): Progress {
  const message = `The Secret ${name} in the driver's namespace is not this content's, and is left as it is.`;
  const failed = {
    why: "SourceSecretUnfit",
    message,
    times: 1,
    at: seen.now,
    circumstances: circumstancesOf(seen),
  } as const;
  return { ...seen.progress, failed };
}

function quotaIn(content: Content) {
  const quota = quotaOf(content);
  return quota === undefined ? {} : { quota };
}

function secretFor(content: Content, { access }: Progress, home: string): Secret {
  const { credentials, endpoint } = must(access, "keys");
  const { url, region, protocol, bucketName } = endpoint;
  const flat = { endpoint: url, region, protocol, bucketName, ...credentials };
  const encoded = Object.entries(flat).map(([key, value]) => [key, Buffer.from(value).toString("base64")] as const);
  return {
    metadata: {
      namespace: home,
      name: sourceSecretName(content.metadata.uid),
      ...madeFor(bucketContents, content),
    },
    type: "Opaque",
    data: Object.fromEntries(encoded),
  };
}
