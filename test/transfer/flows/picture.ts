import { isDeepStrictEqual } from "node:util";
import { persistentVolumeClaims, persistentVolumes } from "../../../src/api/gen/core.ts";
import {
  storageTransferApprovals,
  storageTransferPolicies,
  storageTransferRequests,
} from "../../../src/api/gen/transfer.ts";
import { anyJournalOn, journalOn } from "../../../src/api/transfer/journal.ts";
import { holdFinalizer, idAnnotation, seedClaimStatus, seedMarks } from "../../../src/api/transfer/names.ts";
import type { Approval, Claim, Policy, Request, Volume } from "../../../src/transfer/watches.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import type { World } from "./world.ts";

/** What everybody can see in the end, without anything that differs from run to run. */
export interface Picture {
  readonly volume: string;
  readonly claims: readonly [source: string, target: string];
  readonly request: string;
  readonly approval: string;
  readonly policy?: string;
}

/** The picture, if it is the one that this flow must end with and nothing of ours is left without a reason. */
export function endsAs(expected: Picture) {
  return async (world: World, stage: Pick<Stage, "admin">): Promise<Picture> => {
    const { picture, left } = await pictureOf(world, stage);
    if (left.length > 0) throw new Error(`G3 something is left without a reason: ${left.join(", ")}`);
    world.reaper?.mustNotHaveReaped();
    if (!isDeepStrictEqual(picture, expected))
      throw new Error(`it ends as ${JSON.stringify(picture)} instead of ${JSON.stringify(expected)}`);
    return picture;
  };
}

async function pictureOf(world: World, { admin }: Pick<Stage, "admin">) {
  const { from, to, source, target, request, approval, volume: name } = world;
  const volume = await admin.find(persistentVolumes, { name });
  const [given, got] = await Promise.all([
    admin.find(persistentVolumeClaims, { namespace: from, name: source }),
    admin.find(persistentVolumeClaims, { namespace: to, name: target }),
  ]);
  const asked = await admin.find(storageTransferRequests, { namespace: to, name: request });
  const approved = await admin.find(storageTransferApprovals, { namespace: from, name: approval });
  const standing = await admin.find(storageTransferPolicies, { namespace: from, name: approval });
  const picture: Picture = {
    volume: volume === undefined ? "none" : volumeInWords(volume),
    claims: [claimInWords(given, volume), claimInWords(got, volume)],
    request: asked === undefined ? "none" : requestInWords(asked),
    approval: approved === undefined ? "none" : approvalInWords(approved),
    ...(standing === undefined ? {} : { policy: policyInWords(standing) }),
  };
  return {
    picture,
    left: [
      ...(volume === undefined ? [] : leftOn(volume)),
      ...leftIn([given, got], volume),
      ...leftOnClaims([given, got], volume),
    ],
  };
}

function requestInWords({ status: { phase, conditions = [] } = {} }: Request): string {
  return [phase ?? "new", ...conditions.map(({ reason }) => reason)].join(" ");
}

/** Whether an open one has been told of a wait is a matter of pace, unless the flow asks for it. */
function approvalInWords({ status: { phase = "Pending", consumed = false } = {} }: Approval): string {
  return `${phase === "Pending" ? "open" : phase}${consumed ? ", used" : ""}`;
}

function policyInWords({ spec, status: { used = 0, conditions = [] } = {} }: Policy): string {
  return `${used} of ${spec.count}, ${conditions.map(({ reason }) => reason).join(" ")}`;
}

function claimInWords(claim: Claim | undefined, volume: Volume | undefined): string {
  if (claim === undefined) return "none";
  const { status, metadata } = claim;
  return `${status?.phase ?? "new"}${volume?.spec?.claimRef?.uid === metadata.uid ? ", owner" : ""}`;
}

function volumeInWords(volume: Volume): string {
  const journal = anyJournalOn(volume);
  const outcome = journal === undefined ? journalOn(volume).is : (journal.outcome ?? "open");
  return `${volume.status?.phase ?? "new"}, ${volume.spec?.persistentVolumeReclaimPolicy ?? ""}, ${outcome}`;
}

/** The record of a transfer stays; an open one, or a mark that contradicts it, does not. */
function leftOn(volume: Volume): readonly string[] {
  const reading = journalOn(volume);
  if (reading.is === "none") return [];
  const status = volume.metadata.annotations?.[seedMarks.status];
  const outcome = anyJournalOn(volume)?.outcome;
  return [
    ...(outcome === undefined ? ["a journal that is still open"] : []),
    ...(outcome === status ? [] : [`the mark ${seedMarks.status}: ${status ?? "none"}`]),
  ];
}

/** A hold without a give, or a claim that waits for what has ended. */
function leftOnClaims(claims: readonly (Claim | undefined)[], volume: Volume | undefined): readonly string[] {
  const isOpen = volume !== undefined && anyJournalOn(volume)?.outcome === undefined;
  return claims.flatMap((claim) => {
    const { name = "", finalizers = [], annotations = {} } = claim?.metadata ?? {};
    return [
      ...(finalizers.includes(holdFinalizer) && !isOpen ? [`the hold on ${name}`] : []),
      ...(annotations[seedClaimStatus] === "pending" && !isOpen ? [`the mark "pending" on ${name}`] : []),
    ];
  });
}

/** A claim that we made belongs to whoever got the volume; any other is a left-over. */
function leftIn(claims: readonly (Claim | undefined)[], volume: Volume | undefined): readonly string[] {
  return claims
    .filter((claim) => claim !== undefined)
    .filter(({ metadata }) => metadata.annotations?.[idAnnotation]?.includes("/") === false)
    .filter(({ metadata }) => metadata.uid !== volume?.spec?.claimRef?.uid)
    .map(({ metadata }) => `the claim ${metadata.name}`);
}
