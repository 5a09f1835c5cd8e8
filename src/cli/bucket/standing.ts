import { defined } from "../../api/defined.ts";
import { buckets } from "../../api/gen/cosi.ts";
import type { Where } from "../../kube/client.ts";
import { type Eyes, valueOf } from "../kubectl/eyes.ts";
import { inWords, type Place } from "../kubectl/names.ts";
import { fullName } from "../kubectl/print.ts";
import { ageOf } from "../text/age.ts";
import { coloured } from "../text/colours.ts";
import { type Told, whyInWords } from "../text/told.ts";
import { explainLine } from "./follow.ts";
import { isLeaving, type Order, toldOn } from "./told.ts";

/** One line of `kubectl portway status`. */
export interface BucketStanding {
  readonly door: "bucket";
  readonly object: string;
  readonly bucket: Place;
  readonly class: string;
  readonly secret: string;
  readonly phase: string;
  readonly reason: string;
  readonly told: Told;
  readonly since?: string;
  /** The next command to type. */
  readonly next: string;
}

export async function bucketStandings(eyes: Eyes, where: Where): Promise<readonly BucketStanding[]> {
  return (valueOf(await eyes.list(buckets, where)) ?? []).map(standingOfBucket);
}

export function standingOfBucket(order: Order): BucketStanding {
  const { metadata, spec } = order;
  const { namespace = "", name, creationTimestamp: since } = metadata;
  const told = toldOn(order);
  const isOpen = told.phase === "Bound" && !isLeaving(order);
  return {
    door: "bucket",
    object: fullName(buckets, name),
    bucket: { namespace, name },
    class: spec.bucketClassName,
    secret: spec.secretName,
    phase: told.phase,
    reason: told.reason,
    told,
    ...defined({ since }),
    next: isOpen ? `kubectl portway bucket env ${name} -n ${namespace}` : explainLine(order),
  };
}

interface Look {
  readonly isWide: boolean;
  readonly colours: boolean;
  readonly now: Date;
}

export function bucketHeadings({ isWide }: Pick<Look, "isWide">): readonly string[] {
  return ["BUCKET", "CLASS", "SECRET", "PHASE", "AGE", ...(isWide ? ["REASON"] : []), "WHY", "NEXT"];
}

export function bucketCells(standing: BucketStanding, { isWide, colours, now }: Look): readonly string[] {
  const { bucket, phase, reason, since, told, next, secret } = standing;
  const cells = [inWords(bucket), standing.class, secret, coloured(phase, colours), ageOf(since, now)];
  return [...cells, ...(isWide ? [reason || "-"] : []), whyInWords(told), next];
}
