import { Failure } from "../../api/failure.ts";
import { buckets } from "../../api/gen/cosi.ts";
import { classFor } from "../../buckets/controller/notes.ts";
import { type How, type Item, inOneGo, requireSome } from "../bulk/batch.ts";
import { type Eyes, eyesOf, valueOf } from "../kubectl/eyes.ts";
import { listed } from "../kubectl/listing.ts";
import { inWords } from "../kubectl/names.ts";
import { printDone } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import { type Content, contentOf, termsFor } from "./contents.ts";
import { followToEnd } from "./follow.ts";
import { endInWords } from "./terms.ts";
import { isLeaving, type Order } from "./told.ts";

/** Those with these names, or all that have these labels. */
export type Wanted =
  | { readonly names: readonly string[]; readonly selector?: undefined }
  | { readonly selector: string };

/** Says what becomes of every single one before the first is deleted. */
export async function removeBuckets(
  session: Session,
  wanted: Wanted,
  how: How & { readonly wait: boolean; readonly timeoutSeconds: number },
): Promise<void> {
  const eyes = eyesOf(session.client);
  const all = await bucketsAs(session, wanted);
  const items: Item[] = [];
  for (const bucket of all) items.push(await itemFor(session, eyes, bucket));
  await inOneGo(session, titleFor(all), items, how);
  if (how.dryRun !== "none") return;
  if (!how.wait) return session.terminal.say("Its keys are good until it is gone: --wait waits for that.");
  const end = performance.now() + how.timeoutSeconds * 1000;
  for (const bucket of all)
    await followToEnd(session, bucket, Math.max(1, Math.round((end - performance.now()) / 1000)));
}

function titleFor(all: readonly Order[]): string {
  const [only] = all;
  return all.length === 1 && only !== undefined
    ? `The Bucket ${inWords(only.metadata)} is deleted`
    : `${all.length} Buckets are deleted`;
}

async function bucketsAs({ client, namespace }: Session, wanted: Wanted): Promise<readonly Order[]> {
  if (wanted.selector !== undefined)
    return requireSome(
      await listed(client, buckets, { namespace, labelSelector: wanted.selector }),
      `Bucket of ${namespace}`,
      wanted.selector,
    );
  const found: Order[] = [];
  for (const name of new Set(wanted.names)) {
    const bucket = await client.find(buckets, { namespace, name });
    if (bucket === undefined)
      throw new Failure(
        `there is no Bucket ${namespace}/${name}, so nothing was deleted`,
        `These are there: kubectl portway bucket list -n ${namespace}.`,
      );
    found.push(bucket);
  }
  return found;
}

async function itemFor(session: Session, eyes: Eyes, bucket: Order): Promise<Item> {
  const { namespace = "", name, uid } = bucket.metadata;
  const place = inWords(bucket.metadata);
  const gone = isLeaving(bucket) ? "is being deleted already" : "deleted";
  return {
    what: `the Bucket ${place}`,
    says: `${place}: ${await fateOf(eyes, bucket)}`,
    async write({ dryRun }) {
      await session.client.delete(buckets, { namespace, name, uid }, { dryRun });
      if (!dryRun) await printDone(session, buckets, bucket, gone);
    },
  };
}

async function fateOf(eyes: Eyes, bucket: Order): Promise<string> {
  const sight = await contentOf(eyes, bucket);
  const content = valueOf(sight);
  const isWithout = sight.is === "seen" ? content === undefined : bucket.status?.bucketContentName === undefined;
  if (isWithout) return "it has no bucket and no keys";
  const terms = await termsFor(eyes, bucket, content);
  if (terms === undefined) return "what becomes of the bucket you may not see: everything in it may be destroyed";
  return `${endInWords(terms)}${content === undefined ? "" : wayBack(content)}`;
}

/** The content goes too, and with it the only record of the bucket's name. */
function wayBack({ spec }: Content): string {
  const { mode, releasePolicy, bucketIdentifier, bucketClassName } = spec;
  if (releasePolicy === "Delete" || mode === "Static" || bucketIdentifier === undefined) return "";
  if (mode === "Brownfield") return `; another Bucket of ${bucketClassName} opens it again`;
  return `; this class opens it again: ${classFor(spec, bucketIdentifier)}`;
}
