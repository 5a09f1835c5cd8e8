import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import { matches } from "../../transfer/proposal/consent.ts";
import type { Eyes, Sight } from "../kubectl/eyes.ts";
import type { Place } from "../kubectl/names.ts";
import { fullName } from "../kubectl/print.ts";
import type { Told } from "../text/told.ts";
import { type Approval, approveLine, type Handshake, handshakeOf, type Request, requestLine } from "./handshake.ts";
import { toldOn } from "./told.ts";

/** Both sides of one transfer, as far as this person may see them. */
export interface Pair {
  readonly request: Sight<Request | undefined>;
  readonly approval: Sight<Approval | undefined>;
}

/** Finds one half by its name; whatever is in a list of the whole cluster need not be asked for again. */
export type Finder = Pick<Eyes, "find">;

export const nobodyElse: Finder = { find: async () => ({ is: "seen", value: undefined }) };

/** Joins the two lists; the other half of what stands alone is looked up where it would be, all at a time. */
export async function pairsOf(
  requests: readonly Request[],
  approvals: readonly Approval[],
  eyes: Finder,
): Promise<readonly Pair[]> {
  const ofRequest = async (request: Request): Promise<Pair> => {
    const known = approvals.find((approval) => matches(request, approval));
    return { request: seen(request), approval: known === undefined ? await approvalOf(request, eyes) : seen(known) };
  };
  const alone = approvals.filter((approval) => !requests.some((request) => matches(request, approval)));
  const ofApproval = async (approval: Approval): Promise<Pair> => ({
    request: await requestOf(approval, eyes),
    approval: seen(approval),
  });
  return await Promise.all([...requests.map(ofRequest), ...alone.map(ofApproval)]);
}

async function approvalOf(request: Request, eyes: Finder): Promise<Pair["approval"]> {
  const { source, approvalName: name } = request.spec;
  const sight = await eyes.find(storageTransferApprovals, { namespace: source.namespace, name });
  return sight.is === "seen" && sight.value !== undefined && !matches(request, sight.value) ? seen(undefined) : sight;
}

async function requestOf(approval: Approval, eyes: Finder): Promise<Pair["request"]> {
  const { targetNamespace: namespace, requestName: name } = approval.spec;
  const sight = await eyes.find(storageTransferRequests, { namespace, name });
  return sight.is === "seen" && sight.value !== undefined && !matches(sight.value, approval) ? seen(undefined) : sight;
}

function seen<T>(value: T): Sight<T> {
  return { is: "seen", value };
}

/** One line of `kubectl portway status`. */
export interface Standing {
  readonly door: "request" | "annotation";
  /** What the person looks at, as kubectl names it. */
  readonly object: string;
  /** Where it goes by annotation there is none, and no approval. */
  readonly request?: Place;
  readonly source: Place;
  /** An approval does not say under which name the claim arrives. */
  readonly target: { readonly namespace: string; readonly name?: string };
  readonly approval?: Place;
  readonly phase: string;
  readonly reason: string;
  readonly told: Told;
  readonly operation?: string;
  readonly since?: string;
  /** The next command to type. */
  readonly next: string;
}

export function standingOf({ request: asked, approval: approved }: Pair): Standing {
  const request = asked.is === "seen" ? asked.value : undefined;
  const approval = approved.is === "seen" ? approved.value : undefined;
  const told = toldOn(request ?? approval ?? {});
  const { operation } = (request ?? approval)?.status ?? {};
  const since = (request ?? approval)?.metadata.creationTimestamp;
  const places = placesOf(request, approval);
  return {
    door: "request",
    object: fullName(storageTransferRequests, places.request.name),
    ...places,
    phase: told.phase,
    reason: told.reason,
    told,
    ...(operation === undefined ? {} : { operation }),
    ...(since === undefined ? {} : { since }),
    next: nextOf({ request: asked, approval: approved }, told),
  };
}

function placesOf(request: Request | undefined, approval: Approval | undefined) {
  if (request !== undefined) {
    const { source, target, requestName, approvalName } = handshakeOf(request);
    const places = { request: { namespace: target.namespace, name: requestName }, source, target };
    return { ...places, approval: { namespace: source.namespace, name: approvalName } };
  }
  const { targetNamespace = "", requestName = "", source } = approval?.spec ?? {};
  const { namespace = "", name = "" } = approval?.metadata ?? {};
  return {
    request: { namespace: targetNamespace, name: requestName },
    source: { namespace, name: source?.name ?? "" },
    target: { namespace: targetNamespace },
    approval: { namespace, name },
  };
}

function nextOf({ request, approval }: Pair, { phase, reason, hasEnded }: Told): string {
  const asked = request.is === "seen" ? request.value : undefined;
  const approved = approval.is === "seen" ? approval.value : undefined;
  if (asked === undefined) return nextOfGiver(request, approved, phase);
  const wish = handshakeOf(asked);
  if (phase === "Complete") return `kubectl get pvc ${wish.target.name} -n ${wish.target.namespace}`;
  if (hasEnded) return `kubectl portway undo ${wish.requestName} -n ${wish.target.namespace}`;
  const isMissing = approval.is === "seen" && approved === undefined;
  if (isMissing || reason === "AwaitingApproval") return approveLine(wish);
  return `kubectl portway explain request/${wish.requestName} -n ${wish.target.namespace}`;
}

function nextOfGiver(request: Pair["request"], approval: Approval | undefined, phase: string): string {
  const { namespace = "", name = "" } = approval?.metadata ?? {};
  if (approval === undefined || request.is === "unseen" || phase === "Complete" || phase === "Transferring")
    return `kubectl portway explain approval/${name} -n ${namespace}`;
  const { targetNamespace, requestName, source } = approval.spec;
  const wish: Handshake = {
    source: { namespace, name: source.name },
    target: { namespace: targetNamespace, name: source.name },
    requestName,
    approvalName: name,
  };
  return requestLine(wish);
}
