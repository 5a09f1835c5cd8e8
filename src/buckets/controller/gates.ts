import { caseOf } from "../../api/buckets/class-case.ts";
import { limitsIn } from "../../api/buckets/limits.ts";
import { formatsIn } from "../../api/buckets/secret-keys.ts";
import type { Reason } from "../../api/reasons.ts";
import type { Class } from "./watches.ts";

interface Objection {
  readonly why: Reason;
  readonly detail: string;
}

type Gate = readonly [why: Reason, objects: (bucketClass: Class) => string | undefined];

/** Why a class cannot be used, whatever its driver can do: said before anything is made by it. The first one counts. */
const gates: readonly Gate[] = [
  ["BucketClassUndefined", whyUndefined],
  ["ParameterUnfit", ({ parameters }) => whyUnclear(formatsIn(parameters))],
  ["ParameterUnfit", ({ parameters }) => whyUnclear(limitsIn(parameters))],
  [
    "QuotaUnsupported",
    (bucketClass) =>
      limitsIn(bucketClass.parameters).is === "some" && caseOf(bucketClass).is !== "Greenfield"
        ? "a bucket that was there before keeps the limits that it has."
        : undefined,
  ],
];

export function objectionTo(bucketClass: Class | undefined): Objection | undefined {
  if (bucketClass === undefined) return undefined;
  for (const [why, objects] of gates) {
    const because = objects(bucketClass);
    if (because !== undefined)
      return { why, detail: `The BucketClass ${bucketClass.metadata.name} cannot be used: ${because}` };
  }
  return undefined;
}

function whyUndefined(bucketClass: Class): string | undefined {
  const found = caseOf(bucketClass);
  return found.is === "Undefined" ? found.why : undefined;
}

function whyUnclear(found: { readonly is: string } | { readonly is: "unclear"; readonly why: string }) {
  return "why" in found ? `${found.why}.` : undefined;
}
