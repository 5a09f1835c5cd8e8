import type { PersistentVolumeClaim } from "../api/gen/core.ts";
import { acceptAnnotations, giveAnnotations, holdFinalizer, holdSelector } from "../api/transfer/names.ts";
import { type Operation, pointer } from "../kube/json-patch.ts";

/** What the API server asks about one write, as far as we read it. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly resource: { readonly group: string; readonly resource: string };
  readonly object?: PersistentVolumeClaim | null;
  readonly oldObject?: PersistentVolumeClaim | null;
}

/** Nothing is ever refused here: what is wrong with a consent is said by the policies, which hold without this process. */
export interface Verdict {
  readonly allowed: true;
  readonly patch: readonly Operation[];
}

/** The twin of deploy/admission/mutating-policy.yaml; the same tests run against both. */
export function review({ operation, resource, object, oldObject }: AdmissionRequest): Verdict {
  const isClaim = resource.group === "" && resource.resource === "persistentvolumeclaims";
  if (!isClaim || !object || (operation !== "CREATE" && operation !== "UPDATE")) return { allowed: true, patch: [] };
  const before = operation === "UPDATE" ? (oldObject ?? undefined) : undefined;
  const patch = [
    ...(isGiven(object, before) ? holdOn(object) : []),
    ...(operation === "CREATE" && accepts(object) ? waitingFor(object) : []),
  ];
  return { allowed: true, patch };
}

/** By this very write, and not by an earlier one. */
function isGiven(claim: PersistentVolumeClaim, before: PersistentVolumeClaim | undefined): boolean {
  return giveAnnotations.some((name) => {
    const value = claim.metadata.annotations?.[name];
    return value !== undefined && value !== before?.metadata.annotations?.[name];
  });
}

function accepts({ metadata: { annotations = {} } }: PersistentVolumeClaim): boolean {
  return acceptAnnotations.some((name) => annotations[name] !== undefined);
}

/** The server takes no new finalizer on what is being deleted: the give itself must not fail for that. */
function holdOn({ metadata: { finalizers, deletionTimestamp } }: PersistentVolumeClaim): readonly Operation[] {
  if (deletionTimestamp !== undefined || finalizers?.includes(holdFinalizer) === true) return [];
  return finalizers === undefined
    ? [{ op: "add", path: "/metadata/finalizers", value: [holdFinalizer] }]
    : [{ op: "add", path: "/metadata/finalizers/-", value: holdFinalizer }];
}

/** One place deeper for each parent that is there already: what somebody asked for stays. */
function waitingFor({ spec }: PersistentVolumeClaim): readonly Operation[] {
  const selector = spec?.selector;
  if (selector === undefined) return [{ op: "add", path: "/spec/selector", value: { matchLabels: holdSelector } }];
  if (selector.matchLabels === undefined)
    return [{ op: "add", path: "/spec/selector/matchLabels", value: holdSelector }];
  return Object.entries(holdSelector)
    .filter(([key, value]) => selector.matchLabels?.[key] !== value)
    .map(([key, value]) => ({ op: "add", path: pointer(["spec", "selector", "matchLabels", key]), value }));
}
