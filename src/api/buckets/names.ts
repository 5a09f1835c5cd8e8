import { createHash } from "node:crypto";

/** Names that are stored in clusters and in object stores. None may ever change its meaning. */
export const bucketFinalizer = "cosi.io/finalizer";
/** For people who look for a driver's objects. Different drivers may have the same value, so nothing is selected by it. */
export const provisionerLabel = "cosi.io/provisioner";

/** The labels of what belongs to this driver; what has no driver has none. */
export function provisionerLabels(provisioner: string | undefined): Readonly<Record<string, string>> {
  const value = provisioner === undefined ? "" : labelValue(provisioner);
  return value === "" ? {} : { [provisionerLabel]: value };
}

const longestLabel = 63;
const longestName = 253;
const longestBucketName = 63;
const uidLength = 36;
const hashLength = 8;

function labelValue(word: string): string {
  const legal = trimmed(word.replaceAll(/[^A-Za-z0-9._-]/gu, "-"));
  return legal.length <= longestLabel ? legal : shortened(legal, longestLabel, word);
}

/** The content of a Bucket. A Bucket has one, and every look at it finds the same. */
export function contentName(className: string, bucketUid: string): string {
  const longest = longestName - 1 - uidLength;
  const word = className.length <= longest ? className : shortened(className, longest, className);
  return `${word}-${bucketUid}`;
}

/** What a store is asked to call a new bucket: stores take lower case and 63 characters. */
export function storeBucketName(prefix: string | undefined, bucketUid: string): string {
  return `${(prefix ?? "").toLowerCase().slice(0, longestBucketName - uidLength)}${bucketUid}`;
}

/** The Secret in the sidecar's namespace; its copy for the user is called as the user says. */
export function sourceSecretName(contentUid: string): string {
  return `cosi-${contentUid}`;
}

/** The account that a driver is asked for. When nobody knows what became of one, the next generation is asked for. */
export function accountName(contentUid: string, generation: number): string {
  return `ba-${contentUid}-g${generation}`;
}

/** The Lease that says whether a driver lives. */
export function leaseName(driver: string): string {
  return `cosi-${driver}`;
}

/** The hash is of the whole word, so words that begin alike stay apart. */
function shortened(word: string, length: number, whole: string): string {
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, hashLength);
  return `${trimmed(word.slice(0, length - 1 - hashLength))}-${hash}`;
}

/** Neither a label's value nor a part of a name begins or ends with anything but a letter or a digit. */
function trimmed(word: string): string {
  return word.replace(/^[^A-Za-z0-9]+/, "").replace(/[^A-Za-z0-9]+$/, "");
}
