import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import type { Stored } from "../../api/object.ts";
import type { Client, Where } from "../../kube/client.ts";
import { eyesOf, valueOf } from "../kubectl/eyes.ts";
import { listed } from "../kubectl/listing.ts";
import { givesAmong, standingOfGive } from "./gives.ts";
import type { Approval, Request } from "./handshake.ts";
import { type Finder, nobodyElse, pairsOf, type Standing, standingOf } from "./pairs.ts";

/** Whatever people have said about transfers, in one namespace or everywhere. */
export interface Consents {
  readonly requests: readonly Request[];
  readonly approvals: readonly Approval[];
  readonly claims: readonly Stored<PersistentVolumeClaim>[];
  readonly volumes: readonly Stored<PersistentVolume>[];
}

export async function consentsIn(client: Client, where: Where): Promise<Consents> {
  const [requests, approvals, claims, volumes] = await Promise.all([
    listed(client, storageTransferRequests, where),
    listed(client, storageTransferApprovals, where),
    claimsIn(client, where),
    volumesIn(client, where),
  ]);
  return { requests, approvals, claims, volumes };
}

/** Who may not read claims has none to give or to accept. */
export async function claimsIn(client: Client, where: Where): Promise<Consents["claims"]> {
  return valueOf(await eyesOf(client).list(persistentVolumeClaims, where)) ?? [];
}

/**
 * A tenant may not see volumes, knows it, and need not be told each time. A label is on claims and requests only, so with a
 * selector no volume is looked for.
 */
export async function volumesIn(client: Client, { labelSelector }: Where): Promise<Consents["volumes"]> {
  if (labelSelector !== undefined) return [];
  return valueOf(await eyesOf(client).list(persistentVolumes)) ?? [];
}

/** In the lists of the whole cluster is all that there is: what is missing there is asked for by nobody. */
export async function standingsOf(
  { requests, approvals, claims, volumes }: Consents,
  { namespace, labelSelector }: Where,
  eyes: Finder,
): Promise<readonly Standing[]> {
  const finder = namespace === undefined && labelSelector === undefined ? nobodyElse : eyes;
  const isHere = ({ source, target }: Standing) =>
    namespace === undefined || source.namespace === namespace || target.namespace === namespace;
  const all = [
    ...(await pairsOf(requests, approvals, finder)).map(standingOf),
    ...givesAmong(claims, volumes).map(standingOfGive).filter(isHere),
  ];
  // As the server sorts names. By the rules of a language, the first comparison would load all of them: 10 ms.
  return all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Requests first, then what goes by annotation. */
export function keyOf({ request, source, target }: Standing): string {
  if (request !== undefined) return `0 ${request.namespace}/${request.name} ${source.namespace}`;
  return `1 ${source.namespace}/${source.name} ${target.namespace}/${target.name ?? ""}`;
}
