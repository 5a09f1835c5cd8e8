import { defined } from "../../api/defined.ts";
import { misuse } from "../../api/failure.ts";
import {
  type StorageTransferPolicy,
  type StorageTransferPolicySpec,
  storageTransferPolicies,
} from "../../api/gen/transfer.ts";
import { thousandthsOf } from "../../api/quantity.ts";
import { wholeNumberOf } from "../../runtime/flag-values.ts";
import type { FlagValues } from "../command.ts";
import { nameOf, namespaceOf, type Place } from "../kubectl/names.ts";
import { selectorOf } from "../kubectl/selector.ts";

export const policyFlags = {
  to: { says: "a namespace that may have the claims", value: "NAMESPACE", repeatable: true },
  "to-selector": { says: "namespaces that may have them, by their labels", value: "SELECTOR" },
  count: { says: "how many transfers are approved, over all namespaces", value: "NUMBER" },
  until: { says: "when it ends; never when not given", value: "TIME" },
  selector: { says: "which claims, by their labels; all when not given", value: "SELECTOR", short: "l" },
  class: { says: "claims of this class only", value: "NAME", repeatable: true },
  "max-size": { says: "claims that ask for no more than this", value: "SIZE" },
} as const;

type Values = FlagValues<typeof policyFlags>;

/** The most that the server keeps count of. */
const mostUses = 1000;

export function policyOf(flags: Values, { namespace, name }: Place): StorageTransferPolicy {
  const { group, version, kind } = storageTransferPolicies;
  return { apiVersion: `${group}/${version}`, kind, metadata: { namespace, name }, spec: specOf(flags) };
}

export function specOf(flags: Values): StorageTransferPolicySpec {
  const { to, count, until, selector, "to-selector": toSelector, class: classes, "max-size": maxSize } = flags;
  if (to.length === 0 && toSelector === undefined)
    throw misuse("nobody is named who may have the claims", "Write --to NAMESPACE, or --to-selector.");
  if (count === undefined) throw misuse("--count is missing", "Say how many transfers you approve, such as --count 5.");
  const claims = defined({
    selector: selector === undefined ? undefined : selectorOf(selector, "--selector"),
    storageClassNames: some(classes.map((one) => nameOf(one, "--class"))),
  });
  return {
    targets: defined({
      namespaces: some(to.map((one) => namespaceOf(one))),
      namespaceSelector: toSelector === undefined ? undefined : selectorOf(toSelector, "--to-selector"),
    }),
    count: wholeNumberOf(count, "--count", { least: 1, most: mostUses }),
    ...defined({
      claims: Object.keys(claims).length === 0 ? undefined : claims,
      maxSize: maxSize === undefined ? undefined : sizeOf(maxSize),
      until: until === undefined ? undefined : timeOf(until),
    }),
  };
}

function some<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values;
}

function sizeOf(text: string): string {
  if ((thousandthsOf(text) ?? 0n) > 0n) return text;
  throw misuse(`--max-size is no size: "${text}"`, "Write it like 500Mi or 10Gi.");
}

/** A day alone begins at midnight, and nobody knows whose: the zone is asked for. */
function timeOf(text: string): string {
  const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(text);
  if (!isWhole || Number.isNaN(Date.parse(text)))
    throw misuse(`--until is no time: "${text}"`, "Write it like 2030-12-31T18:00:00Z or 2030-12-31T18:00:00+01:00.");
  return new Date(text).toISOString().replace(/\.\d+Z$/, "Z");
}
