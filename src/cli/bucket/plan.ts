import { Failure } from "../../api/failure.ts";
import { secrets } from "../../api/gen/core.ts";
import { type Bucket, bucketClasses, buckets, cosiRegistrations } from "../../api/gen/cosi.ts";
import { reasons } from "../../api/reasons.ts";
import { objectionTo } from "../../buckets/controller/gates.ts";
import { type Eyes, valueOf } from "../kubectl/eyes.ts";
import { inWords } from "../kubectl/names.ts";
import { accessInWords, beginningInWords, endInWords, type Terms, termsOfClass } from "./terms.ts";

export interface Plan {
  readonly lines: readonly string[];
  /** Whether it could be said what becomes of the bucket at its end. */
  readonly isWhole: boolean;
}

/** What will happen, before it happens. What cannot work is refused here: the Bucket would wait for ever, and quietly. */
export async function planOf(bucket: Bucket, eyes: Eyes): Promise<Plan> {
  const { namespace = "", name = "" } = bucket.metadata;
  const { bucketClassName, secretName, bucketPrefix } = bucket.spec;
  const terms = await termsOf(bucketClassName, eyes);
  await requireFree(bucket, eyes);
  const lines = [
    ...(terms === undefined ? unknown(bucketClassName) : [beginningInWords(terms), accessInWords(terms)]),
    ...prefixInWords(bucketPrefix, terms),
    `the keys arrive in the Secret ${inWords({ namespace, name: secretName })}, once all of them are there`,
    ...(terms === undefined ? [] : [`when the Bucket is deleted, ${endInWords(terms)}`]),
    ...(await driverInWords(terms, eyes)),
    ...eyes.unseen.map(({ what, why }) => `not seen: ${what} (${why})`),
  ];
  return {
    lines: [
      `The Bucket ${inWords({ namespace, name })} of the class ${bucketClassName}:`,
      ...lines.map((one) => `  - ${one}`),
    ],
    isWhole: terms !== undefined,
  };
}

/** Undefined when the class may not be seen. */
async function termsOf(name: string, eyes: Eyes): Promise<Terms | undefined> {
  const sight = await eyes.find(bucketClasses, { name });
  if (sight.is === "unseen") return undefined;
  if (sight.value === undefined) throw new Failure(`there is no BucketClass ${name}`, await othersInWords(eyes));
  const objection = objectionTo(sight.value);
  if (objection !== undefined) throw new Failure(objection.detail, reasons[objection.why].next);
  return termsOfClass(sight.value);
}

async function othersInWords(eyes: Eyes): Promise<string> {
  const names = (valueOf(await eyes.list(bucketClasses)) ?? []).map(({ metadata }) => metadata.name);
  return names.length === 0 ? "Ask the platform team for a class." : `There are these: ${names.join(", ")}.`;
}

function unknown(className: string): readonly string[] {
  return [
    `whether there is a class ${className}, and what it makes, you may not see`,
    "what becomes of the bucket when the Bucket is deleted, you may not see: everything in it may be destroyed",
  ];
}

const longestPrefix = 27;

function prefixInWords(prefix: string | undefined, terms: Terms | undefined): readonly string[] {
  if (prefix === undefined) return [];
  if (terms !== undefined && terms.mode !== "Greenfield")
    return [`the prefix ${prefix} is ignored: the bucket has its name already`];
  return [`its name in the store begins with ${prefix.toLowerCase().slice(0, longestPrefix)}`];
}

async function driverInWords(terms: Terms | undefined, eyes: Eyes): Promise<readonly string[]> {
  if (terms?.provisioner === undefined) return [];
  // Who may see the class and not the drivers learns it from the Bucket soon enough.
  const sight = await eyes.find(cosiRegistrations, { name: terms.provisioner });
  if (sight.is === "unseen" || sight.value !== undefined) return [];
  return [`the driver ${terms.provisioner} is not registered: nothing happens before it is`];
}

/** The Secret too: Portway never touches one that is not the Bucket's own. */
async function requireFree({ metadata, spec }: Bucket, eyes: Eyes): Promise<void> {
  const { namespace = "", name = "" } = metadata;
  const place = { namespace, name: spec.secretName };
  const same = valueOf(await eyes.find(buckets, { namespace, name }));
  if (same !== undefined)
    throw new Failure(
      `there is a Bucket ${inWords({ namespace, name })} already`,
      `Look at it: kubectl portway bucket describe ${name} -n ${namespace}; or choose another name.`,
    );
  const next = "Choose another name with --secret, or delete what has this one.";
  const there = await eyes.find(secrets, place);
  if (there.is === "seen" && there.value !== undefined)
    throw new Failure(`the Secret ${inWords(place)} is there already, and would be left as it is`, next);
  const all = valueOf(await eyes.list(buckets, { namespace })) ?? [];
  const rival = all.find((one) => one.spec.secretName === spec.secretName);
  if (rival !== undefined)
    throw new Failure(`the Bucket ${inWords(rival.metadata)} wants the Secret ${inWords(place)} for itself`, next);
}
