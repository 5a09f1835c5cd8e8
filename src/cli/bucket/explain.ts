import { contentName } from "../../api/buckets/names.ts";
import { leases } from "../../api/gen/coordination.ts";
import { secrets } from "../../api/gen/core.ts";
import { bucketClasses, bucketContents, buckets, cosiRegistrations } from "../../api/gen/cosi.ts";
import { providing, releasing, tableFor } from "../../buckets/controller/rules.ts";
import { type Heard, observe, type Seen } from "../../buckets/controller/seen.ts";
import { bucketWatches, keyOfBucket } from "../../buckets/controller/watches.ts";
import { renewedAt } from "../../buckets/lease.ts";
import { isControlledBy } from "../../buckets/secret-owner.ts";
import { planInWords } from "../../runtime/print-table.ts";
import { refuse } from "../../runtime/table.ts";
import { type Explanation, type Ruling, rulingBy } from "../explain/explanation.ts";
import { type Gathering, gather, hide, type Looked } from "../explain/gather.ts";
import { known, veiled } from "../explain/judge.ts";
import { nothingShown } from "../explain/shown.ts";
import { type Eyes, eyesOf } from "../kubectl/eyes.ts";
import { inWords } from "../kubectl/names.ts";
import type { Session } from "../kubectl/session.ts";
import { isLeaving, type Order, toldOn } from "./told.ts";

/** The controller's own table on what this person may see. */
export async function explainedBucket({ client, namespace }: Session, name: string): Promise<Explanation> {
  const eyes = eyesOf(client);
  const bucket = await client.get(buckets, { namespace, name });
  const { spec, metadata } = bucket;
  const explanation = {
    object: `bucket ${inWords(metadata)}`,
    about: `of the class ${spec.bucketClassName}, with the Secret ${spec.secretName}`,
    told: toldOn(bucket),
    ...rulingOn(await lookAtBucket(eyes, bucket)),
    inTheWay: await strangersSecret(eyes, bucket),
  };
  return { ...explanation, unseen: eyes.unseen };
}

function rulingOn({ seen, assumed }: Looked<Seen>): Ruling {
  const table = known(() => tableFor(seen));
  if (table.is === "known" && table.value === releasing)
    return { ...rulingBy("a Bucket on its way out", releasing, seen), assumed };
  const alone = table.is === "known" ? [] : ["nobody deletes its BucketContent while the Bucket is there"];
  return { ...rulingBy("a Bucket on its way to its Secret", providing, seen), assumed: [...assumed, ...alone] };
}

async function lookAtBucket(eyes: Eyes, bucket: Order): Promise<Looked<Seen>> {
  const shown = nothingShown(eyes);
  const watches = bucketWatches(shown.sources);
  const hidden = new Map<string, string>();
  const g: Gathering = { eyes, shown, hidden };
  shown.show(buckets, bucket);
  const { bucketClassName } = bucket.spec;
  const name = contentName(bucketClassName, bucket.metadata.uid);
  const content = await gather(g, bucketContents, { name }, "content", "namesake", "driver", "heard");
  await gather(g, bucketClasses, { name: bucketClassName }, "bucketClass");
  const heard = await lookForDriver(g, content?.spec.provisioner);
  const now = new Date();
  const found = observe({ watches, begun: now, heard }, keyOfBucket(bucket), { now, reply: undefined });
  if (found === undefined) throw new Error(`the Bucket ${bucket.metadata.name} was not shown`);
  return { seen: veiled(found, hidden), hidden, assumed: [] };
}

/** Its registration, and what its Lease says. */
async function lookForDriver(g: Gathering, name: string | undefined): Promise<ReadonlyMap<string, Heard>> {
  if (name === undefined) return new Map();
  const driver = await gather(g, cosiRegistrations, { name }, "driver", "heard");
  if (driver === undefined) return new Map();
  const { namespace, leaseName } = driver.spec;
  const sight = await g.eyes.find(leases, { namespace, name: leaseName });
  if (sight.is === "unseen") hide(g.hidden, ["heard"], `leases/${leaseName}`);
  const at = new Date();
  return new Map(
    sight.is === "unseen" ? [] : [[name, { of: driver.metadata.uid, at, renewedAt: renewedAt(sight.value) }]],
  );
}

/** No table knows Secrets: the controller meets them only when it writes one. */
async function strangersSecret(eyes: Eyes, bucket: Order): Promise<readonly string[]> {
  if (isLeaving(bucket)) return [];
  const place = { namespace: bucket.metadata.namespace ?? "", name: bucket.spec.secretName };
  const sight = await eyes.find(secrets, place);
  if (sight.is === "unseen" || sight.value === undefined) return [];
  if (isControlledBy(sight.value, buckets, bucket.metadata.uid)) return [];
  return [planInWords(refuse("SecretConflict", `The Secret ${inWords(place)} is not this Bucket's.`))];
}
