import type { Credentials } from "../../api/buckets/secret-keys.ts";
import { defined } from "../../api/defined.ts";
import { type Event, events, type Secret, secrets } from "../../api/gen/core.ts";
import { buckets } from "../../api/gen/cosi.ts";
import type { Condition } from "../../api/gen/meta.ts";
import type { Stored } from "../../api/object.ts";
import { isReason, reasons } from "../../api/reasons.ts";
import { isControlledBy } from "../../buckets/secret-owner.ts";
import { type Eyes, eyesOf, type Sight, type Unseen, valueOf } from "../kubectl/eyes.ts";
import { inWords } from "../kubectl/names.ts";
import type { Session } from "../kubectl/session.ts";
import { type Content, contentOf, termsFor } from "./contents.ts";
import { explainLine } from "./follow.ts";
import { credentialsOf } from "./published.ts";
import type { Terms } from "./terms.ts";
import { isLeaving, type Order, toldOn } from "./told.ts";

/** Everything about a Bucket that this person may see, and never a key. */
export interface Description {
  readonly object: string;
  readonly class: string;
  readonly terms?: Terms;
  readonly phase: string;
  readonly message: string;
  readonly created?: string;
  readonly content?: string;
  readonly bucket: Place;
  readonly secret: { readonly name: string; readonly state: string };
  readonly conditions: readonly Condition[];
  readonly next: string;
  readonly events: readonly Told[];
  readonly unseen: readonly Unseen[];
}

/** Where the bucket is in the store. */
interface Place {
  readonly name?: string;
  readonly endpoint?: string;
  readonly region?: string;
}

interface Told {
  readonly at?: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

export async function description({ client }: Session, key: { readonly namespace: string; readonly name: string }) {
  const bucket = await client.get(buckets, key);
  return await descriptionOf(bucket, eyesOf(client));
}

async function descriptionOf(bucket: Order, eyes: Eyes): Promise<Description> {
  const { namespace = "", name, uid, creationTimestamp: created } = bucket.metadata;
  const content = valueOf(await contentOf(eyes, bucket));
  const secret = await eyes.find(secrets, { namespace, name: bucket.spec.secretName });
  const heard = await eyes.list(events, { namespace, fieldSelector: `involvedObject.uid=${uid}` });
  const told = toldOn(bucket);
  return {
    object: `bucket ${inWords({ namespace, name })}`,
    class: bucket.spec.bucketClassName,
    ...defined({ terms: await termsFor(eyes, bucket, content), created, content: bucket.status?.bucketContentName }),
    phase: told.phase,
    message: told.message,
    bucket: placeOf(content, ownIn(bucket, secret)),
    secret: { name: bucket.spec.secretName, state: stateOf(bucket, secret) },
    conditions: bucket.status?.conditions ?? [],
    next: nextFor(bucket),
    events: (valueOf(heard) ?? []).map(toldBy).toSorted((a, b) => ((a.at ?? "") < (b.at ?? "") ? -1 : 1)),
    unseen: eyes.unseen,
  };
}

function ownIn({ metadata }: Order, secret: Sight<Stored<Secret> | undefined>): Credentials | undefined {
  const found = valueOf(secret);
  const isOwn = found !== undefined && isControlledBy(found, buckets, metadata.uid);
  return isOwn ? credentialsOf(found.data ?? {}) : undefined;
}

/** Whoever may not see the content finds the same in the Secret. */
function placeOf(content: Content | undefined, credentials: Credentials | undefined): Place {
  const { bucketName, url, region } = content?.status?.endpoint ?? {};
  return defined({
    name: content?.spec.bucketIdentifier ?? bucketName ?? credentials?.bucketName,
    endpoint: url ?? credentials?.endpoint,
    region: region ?? credentials?.region,
  });
}

function stateOf(bucket: Order, secret: Sight<Stored<Secret> | undefined>): string {
  if (secret.is === "unseen") return "you may not see it";
  if (secret.value === undefined) return "not there";
  if (!isControlledBy(secret.value, buckets, bucket.metadata.uid)) return "another's, and left as it is";
  return `there, with ${Object.keys(secret.value.data ?? {}).join(", ")}`;
}

function nextFor(bucket: Order): string {
  const { phase, reason } = toldOn(bucket);
  const { name, namespace = "" } = bucket.metadata;
  if (phase === "Bound" && !isLeaving(bucket)) return `eval "$(kubectl portway bucket env ${name} -n ${namespace})"`;
  return `${isReason(reason) ? `${reasons[reason].next} All of it: ` : ""}${explainLine(bucket)}`;
}

function toldBy({ type = "", reason = "", message = "", ...event }: Event): Told {
  const at = event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime;
  return { ...defined({ at: at ?? event.metadata.creationTimestamp }), type, reason, message };
}
