import type { StorageTransferPolicySpec, StorageTransferPolicyStatusUse } from "../../api/gen/transfer.ts";
import { selects } from "../../api/label-selector.ts";
import type { KubeObject, Stored } from "../../api/object.ts";
import { thousandthsOf } from "../../api/quantity.ts";
import type { Reason } from "../../api/reasons.ts";
import type { Journal } from "../../api/transfer/journal.ts";
import type { Claim, Policy } from "../watches.ts";

export type Use = StorageTransferPolicyStatusUse;

/** A policy that says yes to a request, and the use of it that is reserved for that request. */
export interface Standing {
  readonly policy: Policy;
  readonly use: Use | undefined;
}

export function usesOf({ status }: Policy): readonly Use[] {
  return status?.uses ?? [];
}

/** A request has one use at a time, whatever it was reserved for. */
export function useFor(policy: Policy, requestUID: string): Use | undefined {
  return usesOf(policy).find((use) => use.requestUID === requestUID);
}

/** The very reservation by which this transfer began: one that was returned and taken again is another. */
export function holdsUseOf(policy: Policy, { request, standing }: Pick<Journal, "request" | "standing">): boolean {
  const use = useFor(policy, request.uid);
  return use !== undefined && use.at === standing?.at;
}

type State = Extract<Reason, "PolicyActive" | "PolicyExhausted" | "PolicyExpired">;

/** What a policy with these uses is good for. */
export function stateOf({ until, count }: StorageTransferPolicySpec, uses: readonly Use[], now: Date): State {
  if (until !== undefined && !(now.getTime() < Date.parse(until))) return "PolicyExpired";
  return uses.length < count ? "PolicyActive" : "PolicyExhausted";
}

export interface Wish {
  readonly source: Claim;
  readonly targetNamespace: Stored<KubeObject>;
  readonly now: Date;
}

/** Whether one more use may be reserved for this: the namespace and the claim as they are now, however young. */
export function covers(policy: Policy, { source, targetNamespace, now }: Wish): boolean {
  return (
    policy.metadata.deletionTimestamp === undefined &&
    stateOf(policy.spec, usesOf(policy), now) === "PolicyActive" &&
    isTarget(policy.spec, targetNamespace) &&
    coversClaim(policy.spec, source)
  );
}

function isTarget({ targets }: StorageTransferPolicySpec, { metadata }: Stored<KubeObject>): boolean {
  const isNamed = targets.namespaces?.includes(metadata.name) === true;
  return isNamed || (targets.namespaceSelector !== undefined && selects(targets.namespaceSelector, metadata.labels));
}

/** What may be given, whoever asks. */
export function coversClaim({ claims = {}, maxSize }: StorageTransferPolicySpec, { metadata, spec }: Claim): boolean {
  const { selector = {}, storageClassNames } = claims;
  const isOfClass = storageClassNames === undefined || storageClassNames.includes(spec?.storageClassName ?? "");
  return isOfClass && selects(selector, metadata.labels) && fits(spec?.resources?.requests?.["storage"], maxSize);
}

/** A size that cannot be read fits nowhere. */
function fits(size: string | number | undefined, most: string | undefined): boolean {
  if (most === undefined) return true;
  const [wished, allowed] = [thousandthsOf(size), thousandthsOf(most)];
  return wished !== undefined && allowed !== undefined && wished <= allowed;
}
