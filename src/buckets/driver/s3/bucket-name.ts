import { invalid } from "../sdk/refusal.ts";

/** The rules of S3 for names of buckets, so that a wrong one is refused in words before a store is asked. */
const rules: readonly (readonly [says: string, holds: (name: string) => boolean])[] = [
  ["it has 3 to 63 characters", (name) => name.length >= 3 && name.length <= 63],
  ["it has only a-z, 0-9, dots and hyphens", (name) => /^[a-z0-9.-]*$/.test(name)],
  ["it begins and ends with a letter or a digit", (name) => /^[a-z0-9].*[a-z0-9]$/.test(name)],
  ["no dot stands beside a dot or a hyphen", (name) => !/\.[.-]|-\./.test(name)],
  ["it does not look like an IP address", (name) => !/^\d+\.\d+\.\d+\.\d+$/.test(name)],
];

export function bucketNamed(name: string): string {
  const broken = brokenBy(name);
  if (broken === undefined) return name;
  throw invalid(`"${name}" cannot be the name of a bucket: ${broken[0]}`);
}

/** What cannot be a bucket's name was never one: nothing is left of it to take back. */
export function canBeBucket(name: string): boolean {
  return brokenBy(name) === undefined;
}

function brokenBy(name: string) {
  return rules.find(([, holds]) => !holds(name));
}
