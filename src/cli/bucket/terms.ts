import { caseOf } from "../../api/buckets/class-case.ts";
import { defined } from "../../api/defined.ts";
import type { BucketClass, BucketClassSecretRef, BucketContent } from "../../api/gen/cosi.ts";
import { inWords } from "../kubectl/names.ts";

/** What becomes of a Bucket, at its beginning and at its end: as its class says, or as its content has kept it. */
export interface Terms {
  readonly mode: BucketContent["spec"]["mode"];
  readonly releasePolicy: "Delete" | "Retain";
  readonly provisioner?: string;
  readonly bucketIdentifier?: string;
  readonly secretRef?: BucketClassSecretRef;
  readonly accessMode?: string;
}

/** Undefined for a class that means nothing. */
export function termsOfClass(bucketClass: BucketClass): Terms | undefined {
  const found = caseOf(bucketClass);
  if (found.is === "Undefined") return undefined;
  const { is: mode, ...terms } = found;
  return { mode, ...terms, ...defined({ accessMode: bucketClass.accessMode }) };
}

export function termsOfContent({ spec }: BucketContent): Terms {
  const { mode, releasePolicy, provisioner, bucketIdentifier, secretRef, accessModes = [] } = spec;
  const [accessMode] = accessModes;
  return { mode, releasePolicy, ...defined({ provisioner, bucketIdentifier, secretRef, accessMode }) };
}

export function beginningInWords({ mode, provisioner = "", bucketIdentifier = "", secretRef }: Terms): string {
  if (mode === "Greenfield") return `a new bucket is made by the driver ${provisioner}, and keys to it`;
  if (mode === "Brownfield")
    return `the bucket ${bucketIdentifier} is there already; the driver ${provisioner} makes keys to it`;
  return `no bucket and no keys are made: those in the Secret ${inWords(secretRef ?? { name: "?" })} are handed out`;
}

const accesses: Readonly<Record<string, string>> = {
  ro: "the keys can read, and not write",
  wo: "the keys can write, and not read",
  rw: "the keys can read and write",
};

export function accessInWords({ mode, accessMode = "" }: Terms): string {
  if (mode === "Static") return "the keys can do whatever they could do before";
  return accesses[accessMode] ?? "the keys can do what the driver usually lets them";
}

/** Static keys are good for as long as whoever wrote them lets them: nobody here can take them back. */
export function endInWords({ mode, releasePolicy }: Terms): string {
  if (mode === "Static")
    return "its Secret goes; the bucket is kept, and the keys stay good for whoever has copied them";
  if (releasePolicy === "Delete") return "the bucket and everything in it is destroyed, and its keys are void";
  return "its keys are void, and the bucket is kept with everything in it";
}
