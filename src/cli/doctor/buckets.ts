import { type BucketContent, bucketContents, buckets } from "../../api/gen/cosi.ts";
import type { Stored } from "../../api/object.ts";
import { isReason, reasons } from "../../api/reasons.ts";
import { explainLine } from "../bucket/follow.ts";
import { isLeaving, type Order, toldOn } from "../bucket/told.ts";
import type { Eyes, Sight } from "../kubectl/eyes.ts";
import { inWords } from "../kubectl/names.ts";
import { ageOf } from "../text/age.ts";
import { lineOf } from "../text/told.ts";
import { type Finding, fault, note, ok, unseen } from "./finding.ts";
import { type Holder, leaseFindingOf } from "./lease.ts";

type Content = Stored<BucketContent>;

interface How {
  readonly now: Date;
  /** What is open for longer is told. */
  readonly stuckAfterSeconds: number;
}

const mostNamed = 10;
const about = "buckets";

const controller: Holder = {
  about: "bucket controller",
  lease: { namespace: "portway-system", name: "portway-buckets" },
  without: "no Bucket gets its keys, and none goes",
  start: "Start it: portway controller --domains=buckets, with the account portway-buckets of portway-system.",
};

/** Who makes them, those that are not as they should be, and what is left of others. */
export async function bucketFindings(eyes: Eyes, namespace: string, how: How): Promise<readonly Finding[]> {
  // Contents first: one whose Bucket is not in a later list had none.
  const contents = await eyes.list(bucketContents);
  const everywhere = await eyes.list(buckets);
  const seen = everywhere.is === "seen" ? everywhere : await eyes.list(buckets, { namespace });
  return [
    await controllerFinding(eyes, seen, how.now),
    ...(seen.is === "seen" ? stuckFindings(seen.value, how) : [unseen(about, "Buckets, and so whether one is stuck")]),
    ...leftFindings(contents, everywhere, how),
  ];
}

/** Where nobody has a Bucket, nobody misses it. */
async function controllerFinding(eyes: Eyes, seen: Sight<readonly Order[]>, now: Date): Promise<Finding> {
  const finding = await leaseFindingOf(eyes, controller, now);
  const isMissed = seen.is === "unseen" || seen.value.length > 0;
  if (finding.is !== "fault" || isMissed) return finding;
  return note(
    finding.about,
    `${finding.says}; there is no Bucket`,
    `If people are to have buckets: ${controller.start}`,
  );
}

export function stuckFindings(all: readonly Order[], how: How): readonly Finding[] {
  const stuck = all.filter((one) => isStuck(one, how));
  const phases = Map.groupBy(all, (one) => toldOn(one).phase);
  const counts = [...phases].map(([phase, some]) => `${some.length} ${phase}`);
  if (stuck.length === 0) return [ok(about, counts.join(", ") || "there are none")];
  const named = stuck.slice(0, mostNamed).map((one) => stuckFinding(one, how));
  if (stuck.length === named.length) return named;
  const rest = `${stuck.length} are stuck, of ${counts.join(", ")}; those above are the first ${named.length}`;
  return [...named, fault(about, rest, "All of them: kubectl portway bucket list -A.")];
}

/** What has failed will not pass by itself; whatever else is open may take its time. */
function isStuck(order: Order, { now, stuckAfterSeconds }: How): boolean {
  const { phase } = toldOn(order);
  if (phase === "Failed") return true;
  if (phase === "Bound" && !isLeaving(order)) return false;
  return secondsSince(sinceOf(order), now) > stuckAfterSeconds;
}

function stuckFinding(order: Order, { now }: How): Finding {
  const told = toldOn(order);
  const words = `${isLeaving(order) ? "being deleted" : "open"} for ${ageOf(sinceOf(order), now)}: ${lineOf(told)}`;
  const advice = isReason(told.reason) ? `${reasons[told.reason].next} ` : "";
  return fault(`bucket ${inWords(order.metadata)}`, words, `${advice}All of it: ${explainLine(order)}.`);
}

function sinceOf({ metadata, status }: Order): string | undefined {
  const published = status?.conditions?.find(({ type }) => type === "SecretPublished");
  return metadata.deletionTimestamp ?? published?.lastTransitionTime ?? metadata.creationTimestamp;
}

/** A content without its Bucket is released by the controller; one that stays is a bucket, or a key, that nobody has. */
export function leftFindings(
  contents: Sight<readonly Content[]>,
  orders: Sight<readonly Order[]>,
  { now, stuckAfterSeconds }: How,
): readonly Finding[] {
  const what = "contents";
  if (contents.is === "unseen" || orders.is === "unseen")
    return [unseen(what, "all Buckets and BucketContents, and so whether something is left of a Bucket that is gone")];
  const known = new Set(orders.value.map(({ metadata }) => metadata.uid));
  const left = contents.value.filter(({ spec }) => !known.has(spec.bucketRef.uuid));
  const old = left.filter(
    ({ metadata }) => secondsSince(metadata.deletionTimestamp ?? metadata.creationTimestamp, now) > stuckAfterSeconds,
  );
  if (old.length === 0) return [ok(what, `${contents.value.length}, and none is left alone`)];
  return old.slice(0, mostNamed).map((one) => leftFinding(one, left.length, now));
}

function leftFinding({ metadata, spec, status }: Content, of: number, now: Date): Finding {
  const { name, deletionTimestamp, creationTimestamp } = metadata;
  const age = ageOf(deletionTimestamp ?? creationTimestamp, now);
  return fault(
    `content ${name}`,
    `the Bucket ${inWords(spec.bucketRef)} of it is gone for ${age}, and it is still ${status?.phase ?? "Pending"}: ${status?.message ?? "nothing was told"} (one of ${of})`,
    `Its driver ${spec.provisioner ?? ""} must release it: see that it and the bucket controller run.`,
  );
}

function secondsSince(moment: string | undefined, now: Date): number {
  return (now.getTime() - Date.parse(moment ?? "")) / 1000;
}
