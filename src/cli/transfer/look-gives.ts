import { namespaces, type PersistentVolume, persistentVolumeClaims, persistentVolumes } from "../../api/gen/core.ts";
import { storageClasses } from "../../api/gen/storage.ts";
import type { Stored } from "../../api/object.ts";
import { type GiveJournal, journalOn } from "../../api/transfer/journal.ts";
import { holdFinalizer } from "../../api/transfer/names.ts";
import { giveOn } from "../../api/transfer/wish.ts";
import { type Offered, observeOffer } from "../../transfer/give/seen.ts";
import { type Given, observeGiven } from "../../transfer/given/seen.ts";
import { keyOfTransfer } from "../../transfer/seen.ts";
import type { Claim } from "../../transfer/watches.ts";
import { type Gathering, gather, hide, type Looked } from "../explain/gather.ts";
import { veiled } from "../explain/judge.ts";
import type { Eyes } from "../kubectl/eyes.ts";
import { gatherAttachments, gathering, type LookedProposal } from "./look.ts";

/** The controller's own default; what it was started with nobody else can see. */
const settings = { transfersAreOn: true, mostPending: 50 } as const;
const fromVolumes = ["volume", "reading", "lastConsentIsSettled"];

/** A given claim, with everything that decides whether its volume may be locked. */
export async function lookAtOffer(eyes: Eyes, claim: Claim): Promise<LookedProposal<Offered>> {
  const g = gathering(eyes);
  const key = `${claim.metadata.namespace ?? ""}/${claim.metadata.name}`;
  g.shown.show(persistentVolumeClaims, claim);
  await gatherSurroundings(g, claim);
  await gatherVolumes(g, claim.spec?.volumeName);
  const found = await observeOffer(g.shown.watches, settings, key, { now: new Date(), reply: undefined });
  if (found === undefined) throw new Error(`the claim ${key} was not shown`);
  const { volume } = found;
  return {
    seen: veiled(found, g.hidden),
    hidden: g.hidden,
    assumed: assumptions(g, claim),
    ...(volume !== undefined && isLockedFor(claim, volume) ? { locked: volume } : {}),
  };
}

async function gatherSurroundings(g: Gathering, claim: Claim): Promise<void> {
  const wish = giveOn(claim);
  const { storageClassName = "" } = claim.spec ?? {};
  const { namespace: name = "" } = claim.metadata;
  await gather(g, namespaces, { name }, "sourceNamespaceUID", "sourceNamespaceStays");
  if (wish.is === "clear") await gather(g, namespaces, { name: wish.namespace }, "targetNamespace");
  if (storageClassName !== "") await gather(g, storageClasses, { name: storageClassName }, "storageClass");
}

/** All of them, because each that waits counts; else the one behind the claim. */
async function gatherVolumes(g: Gathering, name: string | undefined): Promise<void> {
  const all = await g.eyes.list(persistentVolumes);
  if (all.is === "seen") return g.shown.show(persistentVolumes, ...all.value);
  hide(g.hidden, ["pending"], "persistentvolumes");
  if (name !== undefined) await gather(g, persistentVolumes, { name }, ...fromVolumes);
}

function assumptions({ hidden }: Gathering, { metadata: { finalizers = [] } }: Claim): readonly string[] {
  const isLetGo = hidden.has("volume") && !finalizers.includes(holdFinalizer);
  return [
    "transfers are switched on, and 50 gives of a namespace may wait; only the controller knows",
    ...(isLetGo ? ["its volume is locked if claims are held here, because nothing holds this one any more"] : []),
  ];
}

function isLockedFor({ metadata: { uid } }: Claim, volume: Stored<PersistentVolume>): boolean {
  const reading = journalOn(volume);
  return reading.is === "give" && reading.journal.outcome === undefined && reading.journal.source.uid === uid;
}

/** A volume that is locked for a give, or was. */
export async function lookAtGiven(
  eyes: Eyes,
  volume: Stored<PersistentVolume>,
  journal: GiveJournal,
): Promise<Looked<Given>> {
  const g = gathering(eyes);
  const { source, target } = journal;
  g.shown.show(persistentVolumes, volume);
  await gather(g, persistentVolumeClaims, source, "source", "isGiven", "receiver");
  await gather(g, persistentVolumeClaims, target, "receiver", "marked");
  await gather(g, namespaces, { name: source.namespace }, "sourceNamespaceStays", "receiver");
  await gather(g, namespaces, { name: target.namespace }, "targetNamespaceStays", "receiver");
  await gatherAttachments(g);
  const key = keyOfTransfer(volume, journal);
  const found = await observeGiven(g.shown.watches, key, { now: new Date(), reply: undefined });
  if (found === undefined) throw new Error(`the volume ${volume.metadata.name} was not shown`);
  return { seen: veiled(found, g.hidden), hidden: g.hidden, assumed: [] };
}
