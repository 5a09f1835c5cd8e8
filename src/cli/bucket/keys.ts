import type { Credentials } from "../../api/buckets/secret-keys.ts";
import { Failure } from "../../api/failure.ts";
import { secrets } from "../../api/gen/core.ts";
import { buckets } from "../../api/gen/cosi.ts";
import { isReason, reasons } from "../../api/reasons.ts";
import { isControlledBy } from "../../buckets/secret-owner.ts";
import { inWords, type Place } from "../kubectl/names.ts";
import type { Session } from "../kubectl/session.ts";
import { credentialsOf } from "./published.ts";
import { isLeaving, type Order, toldOn } from "./told.ts";

export interface Opened {
  readonly bucket: Order;
  readonly credentials: Credentials;
}

/** The keys of a bound Bucket. Nothing but the Bucket and its Secret is read, and no error ever repeats a part of the keys. */
export async function openBucket({ client }: Session, place: Place): Promise<Opened> {
  const bucket = await client.get(buckets, place);
  requireBound(bucket);
  const at = { namespace: place.namespace, name: bucket.spec.secretName };
  const secret = await client.find(secrets, at);
  if (secret === undefined)
    throw new Failure(
      `the Secret ${inWords(at)} of the Bucket ${inWords(place)} is gone`,
      "Somebody has deleted it; Portway makes it again within ten minutes.",
    );
  // Somebody else's keys would send this person's data to somebody else's store.
  if (!isControlledBy(secret, buckets, bucket.metadata.uid))
    throw new Failure(
      `the Secret ${inWords(at)} is not the one of the Bucket ${inWords(place)}`,
      `Do not use it. Ask whoever made it: kubectl get secret ${at.name} -n ${at.namespace} --show-managed-fields -o yaml.`,
    );
  const credentials = credentialsOf(secret.data ?? {});
  if (credentials === undefined)
    throw new Failure(
      `the Secret ${inWords(at)} does not have the keys that Portway has put there`,
      "Somebody has changed it; Portway puts it right within ten minutes.",
    );
  requirePlain(credentials, at);
  return { bucket, credentials };
}

function requireBound(bucket: Order): void {
  const place = inWords(bucket.metadata);
  const told = toldOn(bucket);
  if (isLeaving(bucket))
    throw new Failure(`the Bucket ${place} is being deleted, and its keys with it`, "Use another Bucket.");
  if (told.phase === "Bound") return;
  const { name, namespace = "" } = bucket.metadata;
  const next = isReason(told.reason) ? `${reasons[told.reason].next} ` : "";
  throw new Failure(
    `the Bucket ${place} is not bound: ${told.phase === "New" ? told.message : `${told.phase}. ${told.message}`}`,
    `${next}All of it: kubectl portway explain bucket/${name} -n ${namespace}.`,
  );
}

/** A line break in a value would be a line of its own in a shell or in a profile, and could make it run something. */
function requirePlain(credentials: Credentials, at: Place): void {
  const odd = Object.entries(credentials).find(([, value]) => !/^[\x21-\x7e]+$/.test(value));
  if (odd === undefined) return;
  throw new Failure(
    `${odd[0]} in the Secret ${inWords(at)} has characters that no key and no address has`,
    "Do not use it, and tell the platform team: the driver, or whoever wrote the class, has put them there.",
  );
}
