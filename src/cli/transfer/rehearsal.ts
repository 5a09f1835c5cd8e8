import { type PersistentVolumeClaim, persistentVolumeClaims } from "../../api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import type { KubeObject, Resource, Stored } from "../../api/object.ts";
import type { ClaimShape } from "../../api/transfer/journal.ts";
import type { Client } from "../../kube/client.ts";
import { ApiError } from "../../kube/errors.ts";
import { claimFor, shapeOf } from "../../transfer/claim-shape.ts";
import type { Proposed } from "../../transfer/proposal/seen.ts";
import { known } from "../explain/judge.ts";
import { inWords } from "../kubectl/names.ts";
import { approvalOf, type Handshake, requestOf } from "./handshake.ts";

/** What the server says to a write that it does not store. */
export interface Rehearsed {
  readonly what: string;
  readonly answer: "would work" | "refused" | "not tried";
  readonly words?: string;
}

export async function rehearse(client: Client, wish: Handshake, seen: Proposed): Promise<readonly Rehearsed[]> {
  const source = known(() => seen.source);
  const claim = source.is === "known" ? source.value : undefined;
  const target = targetOf(wish, claim, seen);
  return [
    await tried(client, "the request", storageTransferRequests, requestOf(wish)),
    await tried(client, "the approval", storageTransferApprovals, approvalOf(wish, claim?.metadata.uid)),
    target === undefined
      ? { what: `the claim ${inWords(wish.target)}`, answer: "not tried", words: "its source may not be seen" }
      : await tried(client, "the claim", persistentVolumeClaims, target),
  ];
}

/** The claim that Portway would write, without its marks: those are written by Portway itself. */
function targetOf(
  { target }: Handshake,
  claim: Stored<PersistentVolumeClaim> | undefined,
  seen: Proposed,
): PersistentVolumeClaim | undefined {
  if (claim === undefined) return undefined;
  const volume = known(() => seen.volume);
  const disk = volume.is === "known" && volume.value !== undefined ? volume.value : diskOf(claim);
  const shape: ClaimShape = shapeOf(claim, disk);
  const { metadata, ...rest } = claimFor({ id: "", claim: shape }, target, claim.spec?.volumeName ?? "");
  const { annotations: _, ...unmarked } = metadata;
  return { ...rest, metadata: unmarked };
}

/** Who may not see the volume goes by its claim: Portway moves only claims that are as their volume is. */
function diskOf({ spec }: Stored<PersistentVolumeClaim>) {
  const { storageClassName } = spec ?? {};
  return { metadata: {}, spec: storageClassName === undefined ? {} : { storageClassName } };
}

async function tried<T extends KubeObject>(
  client: Client,
  noun: string,
  resource: Resource<T>,
  object: T,
): Promise<Rehearsed> {
  const { namespace = "", name = "" } = object.metadata;
  return await answerTo(`${noun} ${namespace}/${name}`, () => client.create(resource, object, { dryRun: true }));
}

export async function answerTo(what: string, attempt: () => Promise<unknown>): Promise<Rehearsed> {
  try {
    await attempt();
    return { what, answer: "would work" };
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.code === 0) throw problem;
    const isOurRight = problem.code === 403 && problem.deniedBy === undefined && !problem.isQuotaExceeded;
    return { what, answer: isOurRight ? "not tried" : "refused", words: problem.message };
  }
}
