import { namespaces, type PersistentVolume, persistentVolumeClaims, persistentVolumes } from "../../api/gen/core.ts";
import { storageClasses, volumeAttachments } from "../../api/gen/storage.ts";
import { storageTransferApprovals, storageTransferPolicies, storageTransferRequests } from "../../api/gen/transfer.ts";
import type { Stored } from "../../api/object.ts";
import { type Journal, journalOn } from "../../api/transfer/journal.ts";
import { observeProposal, type Proposed } from "../../transfer/proposal/seen.ts";
import { keyOfTransfer, observeUnderWay, type UnderWay } from "../../transfer/seen.ts";
import { type Gathering, gather, hide, type Looked } from "../explain/gather.ts";
import { veiled } from "../explain/judge.ts";
import type { Eyes, Sight } from "../kubectl/eyes.ts";
import type { Approval, Request } from "./handshake.ts";
import { noTransferShown, type ShownTransfers } from "./shown.ts";
import { toldOn } from "./told.ts";

export interface LookedProposal<S> extends Looked<S> {
  /** The volume that is locked for it, whatever has become of its claims. */
  readonly locked?: Stored<PersistentVolume>;
}

interface TransferGathering extends Gathering {
  readonly shown: ShownTransfers;
}

export function gathering(eyes: Eyes): TransferGathering {
  return { eyes, shown: noTransferShown(eyes), hidden: new Map() };
}

const fromSource = ["source", "volume", "reading", "storageClass", "users", "attachments", "lastConsentIsSettled"];
const fromVolumes = ["volume", "reading", "lastConsentIsSettled", "attachments"];

/** With `pretended`, as if this approval had been given: what is in the way of a transfer that nobody has agreed to yet. */
export async function lookAtRequest(
  eyes: Eyes,
  request: Request,
  pretended?: Approval,
): Promise<LookedProposal<Proposed>> {
  const g = gathering(eyes);
  const { namespace = "", name } = request.metadata;
  const { source, approvalName, targetName } = request.spec;
  g.shown.show(storageTransferRequests, request);
  if (pretended !== undefined) g.shown.show(storageTransferApprovals, pretended);
  else await gather(g, storageTransferApprovals, { namespace: source.namespace, name: approvalName }, "approval");
  await gather(g, persistentVolumeClaims, { namespace, name: targetName }, "target");
  await gather(g, namespaces, { name: source.namespace }, "sourceNamespace");
  await gather(g, namespaces, { name: namespace }, "targetNamespace");
  const claim = await gather(g, persistentVolumeClaims, source, ...fromSource);
  if (pretended === undefined) await gatherPolicies(g, source.namespace);
  const className = claim?.spec?.storageClassName ?? "";
  if (className !== "") await gather(g, storageClasses, { name: className }, "storageClass");
  const volumes = await gatherVolumes(g, claim?.spec?.volumeName);
  const assumed = assumptions(g.hidden, volumes.is === "seen", request);
  const looked = await observed(g, `${namespace}/${name}`);
  const locked = g.shown.watches.volumes.by("request", request.metadata.uid)[0];
  return { ...looked, assumed, ...(locked === undefined ? {} : { locked }) };
}

/** All volumes, because any of them may carry the journal; else the one behind the claim. */
async function gatherVolumes(
  g: TransferGathering,
  name: string | undefined,
): Promise<Sight<readonly Stored<PersistentVolume>[]>> {
  const all = await g.eyes.list(persistentVolumes);
  if (all.is === "seen") g.shown.show(persistentVolumes, ...all.value);
  else if (name !== undefined) await gather(g, persistentVolumes, { name }, ...fromVolumes);
  const volume = g.shown.watches.volumes.get(name ?? "");
  const reading = volume === undefined ? { is: "none" as const } : journalOn(volume);
  if (reading.is === "journal") {
    await gatherConsent(g, reading.journal, "lastConsentIsSettled", "lastConsentIsSettled");
  }
  if (volume !== undefined) await gatherAttachments(g);
  return all;
}

async function gatherConsent(
  g: TransferGathering,
  { source: { namespace }, approval, standing }: Journal,
  ofApproval: string,
  ofPolicy: string,
): Promise<void> {
  if (approval !== undefined) await gather(g, storageTransferApprovals, { namespace, name: approval.name }, ofApproval);
  if (standing !== undefined) await gather(g, storageTransferPolicies, { namespace, name: standing.name }, ofPolicy);
}

/** Whether one of them covers it depends on what the claim and the other namespace are like. */
async function gatherPolicies({ eyes, shown, hidden }: TransferGathering, namespace: string): Promise<void> {
  const all = await eyes.list(storageTransferPolicies, { namespace });
  if (all.is === "unseen") return hide(hidden, ["standing"], "storagetransferpolicies");
  shown.show(storageTransferPolicies, ...all.value);
  const needs = hidden.get("source") ?? hidden.get("targetNamespace");
  if (all.value.length > 0 && needs !== undefined) hide(hidden, ["standing"], needs);
}

export async function gatherAttachments({ eyes, shown, hidden }: Gathering): Promise<void> {
  const attached = await eyes.list(volumeAttachments);
  if (attached.is === "seen") shown.show(volumeAttachments, ...attached.value);
  else hide(hidden, ["attachments"], "volumeattachments");
}

/** Where volumes are hidden, Portway's own word tells whether one is locked. */
function assumptions(hidden: Map<string, string>, seesVolumes: boolean, request: Request): readonly string[] {
  const { phase, reason } = toldOn(request);
  const assumed = ["transfers are switched on; only the controller knows"];
  if (!seesVolumes && phase === "Transferring") hidden.set("journal", "persistentvolumes");
  else if (!seesVolumes && phase !== "New") assumed.push(`no volume is locked for it, because Portway says ${phase}`);
  if ((hidden.has("approval") || hidden.has("standing")) && reason === "AwaitingApproval") {
    hidden.delete("approval");
    hidden.delete("standing");
    assumed.push("nobody has approved it, because Portway says AwaitingApproval");
  }
  return assumed;
}

async function observed(g: TransferGathering, key: string): Promise<Omit<Looked<Proposed>, "assumed">> {
  const { eyes, shown, hidden } = g;
  const found = await observeProposal(shown.watches, shown.pods, true, key, {
    now: new Date(),
    reply: undefined,
  });
  if (found === undefined) throw new Error(`the request ${key} was not shown`);
  if (eyes.unseen.some(({ what }) => what.startsWith("all pods"))) hide(hidden, ["users"], "pods");
  await shown.pods.stop();
  return { seen: veiled(found, hidden), hidden };
}

/** The transfer of a volume that is under way, or has ended. */
export async function lookAtVolume(
  eyes: Eyes,
  volume: Stored<PersistentVolume>,
  journal: Journal,
): Promise<Looked<UnderWay>> {
  const g = gathering(eyes);
  const { source, target, request } = journal;
  g.shown.show(persistentVolumes, volume);
  await gather(g, persistentVolumeClaims, source, "source", "returned", "users");
  await gather(g, persistentVolumeClaims, target, "target");
  await gather(g, storageTransferRequests, { namespace: target.namespace, name: request.name }, "request");
  await gatherConsent(g, journal, "approval", "standing");
  await gather(g, namespaces, { name: source.namespace }, "sourceNamespaceStays");
  await gather(g, namespaces, { name: target.namespace }, "targetNamespaceStays");
  await gatherAttachments(g);
  const { watches, pods } = g.shown;
  const found = await observeUnderWay(watches, pods, keyOfTransfer(volume, journal), {
    now: new Date(),
    reply: undefined,
  });
  if (found === undefined) throw new Error(`the volume ${volume.metadata.name} was not shown`);
  if (eyes.unseen.some(({ what }) => what.startsWith("all pods"))) hide(g.hidden, ["users"], "pods");
  await pods.stop();
  return { seen: veiled(found, g.hidden), hidden: g.hidden, assumed: [] };
}
