import { namespaces, persistentVolumeClaims, persistentVolumes } from "../../api/gen/core.ts";
import type { GiveJournal, Outcome, Party } from "../../api/transfer/journal.ts";
import { seedClaimStatus } from "../../api/transfer/names.ts";
import { Change } from "../../kube/json-patch.ts";
import { kick, name, point, record, renew, retain, settle, touch } from "../../rebind/rebind.ts";
import type { Hand } from "../../runtime/hand.ts";
import { must, Overtaken } from "../../runtime/must.ts";
import { type Kicked, keptMark } from "../seen.ts";
import { wholeSeconds } from "../status.ts";
import type { Claim } from "../watches.ts";
import { requireGiven, requireReceiver, requireSourceGone, requireWithdrawn } from "./live.ts";
import { notesOnEnd } from "./notes.ts";
import type { Step } from "./rules.ts";
import type { Given, Receiver } from "./seen.ts";

const steps: Readonly<Record<Step, (seen: Given, hand: Hand) => Promise<unknown>>> = {
  async "retain-volume"({ volume }, hand) {
    return await patchVolume(volume, retain(volume), hand);
  },
  async "renew-lock"(seen, hand) {
    const { volume, journal } = seen;
    await requireGiven(seen, hand.live);
    return await patchVolume(volume, renew(volume, { ...journal, renewed: (journal.renewed ?? 0) + 1 }), hand);
  },
  async "mark-pending"({ receiver }, hand) {
    await mark(claimOf(receiver), "pending", hand);
  },
  async unmark({ receiver, marked }, hand) {
    const claim = marked ?? claimOf(receiver);
    const change = new Change(claim, { anyVersion: true }).remove(["metadata", "annotations", seedClaimStatus]);
    await hand.patch(persistentVolumeClaims, claim.metadata, change.operations);
  },
  /** From here on the give counts as withdrawn: should it be written again, the journal is renewed first. */
  async "turn-back"({ source, journal }, hand) {
    const claim = must(source.is === "there" ? source.claim : undefined, "a source");
    await hand.patch(persistentVolumeClaims, claim.metadata, touch(claim, keptMark(journal)));
  },
  async "restore-volume"(seen, hand) {
    await requireWithdrawn(seen, hand.live);
    await end(seen, "rolled-back", hand);
  },
  /** The volume goes to this very claim, which says on the server and now that it accepts it. */
  async "hand-over"(seen, hand): Promise<Kicked> {
    const { volume, journal, receiver, now } = seen;
    await requireSourceGone(seen, hand.live);
    const claim = await requireReceiver(seen, hand.live);
    const target: Party = receiver?.isTarget === true ? { ...journal.target, uid: claim.metadata.uid } : journal.target;
    await patchVolume(volume, point(volume, claim, { ...journal, target }), hand);
    return { at: now.getTime(), times: 0 };
  },
  async "name-volume"({ volume, receiver, now }, hand): Promise<Kicked> {
    const claim = claimOf(receiver);
    await hand.patch(persistentVolumeClaims, claim.metadata, name(claim, volume));
    return { at: now.getTime(), times: 1 };
  },
  async "kick-binder"({ receiver, kicked, now }, hand): Promise<Kicked> {
    const claim = claimOf(receiver);
    const times = (kicked?.times ?? 0) + 1;
    await hand.patch(persistentVolumeClaims, claim.metadata, kick(claim, times));
    return { at: now.getTime(), times };
  },
  /** What the giver has taken back is where it was. */
  async "settle-volume"(seen, hand) {
    await end(seen, seen.receiver?.isTarget === true ? "complete" : "rolled-back", hand);
  },
  async "mark-complete"({ receiver }, hand) {
    await mark(claimOf(receiver), "complete", hand);
  },
  async "mark-orphaned"(seen, hand) {
    for (const party of [seen.journal.source, seen.journal.target]) await requireNamespaceGone(party, hand);
    const journal = ended(seen, "orphaned");
    await patchVolume(seen.volume, record(seen.volume, journal, "orphaned"), hand);
    for (const note of notesOnEnd(seen, journal)) hand.tell(note);
  },
};

export async function actOnGiven(step: Step, seen: Given, hand: Hand): Promise<unknown> {
  return await steps[step](seen, hand);
}

async function requireNamespaceGone({ namespace, namespaceUID }: Party, { live }: Hand): Promise<void> {
  const found = await live.find(namespaces, { name: namespace });
  if (found?.metadata.uid === namespaceUID && found.metadata.deletionTimestamp === undefined)
    throw new Overtaken("the namespace is there");
}

async function mark(claim: Claim, value: string, hand: Hand): Promise<void> {
  const change = new Change(claim, { anyVersion: true }).set(["metadata", "annotations", seedClaimStatus], value);
  await hand.patch(persistentVolumeClaims, claim.metadata, change.operations);
}

async function end(seen: Given, outcome: Outcome, hand: Hand): Promise<void> {
  const journal = ended(seen, outcome);
  await patchVolume(seen.volume, settle(seen.volume, journal, outcome), hand);
  for (const note of notesOnEnd(seen, journal)) hand.tell(note);
}

function ended({ journal, now }: Given, outcome: Outcome): GiveJournal {
  return { ...journal, outcome, endedAt: wholeSeconds(now) };
}

async function patchVolume(volume: Given["volume"], operations: Parameters<Hand["patch"]>[2], hand: Hand) {
  await hand.patch(persistentVolumes, { name: volume.metadata.name }, operations);
}

function claimOf(receiver: Receiver | undefined): Claim {
  return must(receiver?.claim, "a claim that accepts");
}
