import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../api/failure.ts";
import {
  namespaces,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../api/gen/core.ts";
import type { Stored } from "../../api/object.ts";
import { sizeIsOver } from "../../api/quantity.ts";
import { type AnyJournal, anyJournalOn, journalOn } from "../../api/transfer/journal.ts";
import { troubleOf } from "../../api/trouble.ts";
import { kick, point, settle } from "../../rebind/rebind.ts";
import { claimFor } from "../../transfer/claim-shape.ts";
import { isBoundTo } from "../../transfer/seen.ts";
import { confirm } from "../kubectl/confirm.ts";
import type { DryRun } from "../kubectl/flags.ts";
import { inWords, type Place } from "../kubectl/names.ts";
import { printDone } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";

type Volume = Stored<PersistentVolume>;
type Claim = Stored<PersistentVolumeClaim>;

export interface Assignment {
  readonly volume: string;
  readonly place: Place;
  readonly restoresPolicy: boolean;
  readonly isAgreed: boolean;
  readonly dryRun: DryRun;
  readonly timeoutSeconds: number;
}

/** Gives an orphaned volume to a claim: the claim first, then the volume points at it by uid, and nobody can come between. */
export async function assignVolume(session: Session, wish: Assignment): Promise<void> {
  const { client, terminal } = session;
  const { place, dryRun } = wish;
  const volume = await client.get(persistentVolumes, { name: wish.volume });
  const journal = orphanOf(volume);
  await requireNoOwner(session, volume);
  const namespace = await client.get(namespaces, { name: place.namespace });
  const found = await client.find(persistentVolumeClaims, place);
  if (found !== undefined) requireFit(found, volume);
  await confirm(terminal, planOf(wish, volume, journal, found), wish.isAgreed || dryRun !== "none");
  if (dryRun === "client") return await printDone(session, persistentVolumes, volume, "assigned", dryRun);
  const write = async (isRehearsal: boolean) => {
    const options = { dryRun: isRehearsal };
    const claim = found ?? (await client.create(persistentVolumeClaims, newClaim(journal, wish), options));
    const { uid } = claim.metadata;
    const assigned: AnyJournal = { ...journal, target: { ...place, namespaceUID: namespace.metadata.uid, uid } };
    const pointed = await client.patch(
      persistentVolumes,
      { name: wish.volume },
      point(volume, claim, assigned),
      options,
    );
    return { claim, assigned, pointed };
  };
  // Both are tried first: who may create claims but not repair volumes must not leave a claim behind.
  const rehearsed = await write(true);
  if (dryRun === "server") return await printDone(session, persistentVolumes, rehearsed.pointed, "assigned", dryRun);
  const { claim, assigned } = await write(false);
  const bound = await untilBound(session, wish, claim);
  if (wish.restoresPolicy)
    await client.patch(persistentVolumes, { name: wish.volume }, settle(bound, assigned, "assigned"));
  await printDone(session, persistentVolumes, bound, "assigned");
}

function orphanOf(volume: Volume): AnyJournal {
  const { name } = volume.metadata;
  const journal = anyJournalOn(volume);
  if (journal?.outcome === "orphaned") return journal;
  const reading = journalOn(volume);
  const why =
    reading.is === "none"
      ? "no transfer has ever touched it"
      : reading.is === "closed book"
        ? reading.why
        : `its transfer is ${reading.journal.outcome ?? "under way"}`;
  throw new Failure(
    `the volume ${name} is not orphaned: ${why}`,
    `Only a volume that a transfer left without a claim can be assigned; kubectl portway explain pv/${name} says more.`,
  );
}

/** An orphan that somebody has given a home since is nobody's to give away again. */
async function requireNoOwner({ client }: Session, volume: Volume): Promise<void> {
  const { namespace = "", name = "", uid } = volume.spec?.claimRef ?? {};
  if (namespace === "" || name === "") return;
  const owner = await client.find(persistentVolumeClaims, { namespace, name });
  if (owner === undefined || owner.metadata.uid !== uid) return;
  throw new Failure(
    `the volume ${volume.metadata.name} belongs to the claim ${namespace}/${name} already`,
    `To move it on, use a transfer: kubectl portway request ${namespace}/${name}.`,
  );
}

function requireFit(claim: Claim, volume: Volume): void {
  const why = [...objectionsTo(claim, volume.metadata.name), ...differences(claim.spec ?? {}, volume.spec ?? {})][0];
  if (why === undefined) return;
  throw new Failure(
    `the claim ${inWords(claim.metadata)} cannot take the volume ${volume.metadata.name}: ${why}`,
    "Name a claim that does not exist yet, and it is written as the volume needs it.",
  );
}

function objectionsTo({ metadata, spec, status }: Claim, volume: string): readonly string[] {
  const { volumeName = "" } = spec ?? {};
  return [
    ...(metadata.deletionTimestamp === undefined ? [] : ["it is being deleted"]),
    ...(status?.phase === "Bound" ? [`it is bound to ${volumeName}`] : []),
    ...(["", volume].includes(volumeName) ? [] : [`it wants the volume ${volumeName}`]),
  ];
}

/** The binder compares nothing when a volume points at a claim, so we do. */
function differences(claim: NonNullable<Claim["spec"]>, disk: NonNullable<Volume["spec"]>): readonly string[] {
  const isSame = (field: "storageClassName" | "volumeMode", usual: string) =>
    (claim[field] ?? usual) === (disk[field] ?? usual);
  const { accessModes = [], resources } = claim;
  const hasMode = (mode: (typeof accessModes)[number]) => disk.accessModes?.includes(mode) === true;
  const isTooBig = sizeIsOver(resources?.requests?.["storage"], disk.capacity?.["storage"]);
  return [
    ...(isSame("storageClassName", "") ? [] : ["its class is another one"]),
    ...(isSame("volumeMode", "Filesystem") ? [] : ["its volume mode is another one"]),
    ...(accessModes.every(hasMode) ? [] : ["the volume has not its access modes"]),
    ...(isTooBig ? ["it asks for more than the volume has"] : []),
  ];
}

function newClaim(journal: AnyJournal, { place, volume }: Assignment): PersistentVolumeClaim {
  const { metadata, ...rest } = claimFor(journal, place, volume);
  const { annotations: _, ...unmarked } = metadata;
  return { ...rest, metadata: unmarked };
}

function planOf(wish: Assignment, volume: Volume, { source, target, policy }: AnyJournal, found: Claim | undefined) {
  const { place, restoresPolicy } = wish;
  return [
    `The volume ${volume.metadata.name}, on its way from ${inWords(source)} to ${inWords(target)}, is given to ${inWords(place)}:`,
    found === undefined
      ? `  - the claim ${inWords(place)} is created`
      : `  - the claim ${inWords(place)} is there, and waits`,
    "  - whoever may use claims in that namespace can read all its data",
    restoresPolicy ? `  - its reclaim policy becomes ${policy} again` : "  - its reclaim policy stays Retain",
  ];
}

/** Whoever has changed the claim meanwhile has kicked the binder as well, or is the binder. */
async function unlessOvertaken(kicked: Promise<unknown>): Promise<void> {
  try {
    await kicked;
  } catch (problem) {
    if (troubleOf(problem) !== "conflict") throw problem;
  }
}

/** Any write makes the binder look, and one look may come too early. */
async function untilBound({ client, stop }: Session, wish: Assignment, claim: Claim): Promise<Volume> {
  const { namespace = "", name } = claim.metadata;
  const deadline = performance.now() + wish.timeoutSeconds * 1000;
  for (let kicks = 1; ; kicks++) {
    const [now, volume] = [
      await client.get(persistentVolumeClaims, { namespace, name }),
      await client.get(persistentVolumes, { name: wish.volume }),
    ];
    if (isBoundTo(now, volume)) return volume;
    if (performance.now() > deadline)
      throw new Failure(
        `${namespace}/${name} points at the volume and is not bound after ${wish.timeoutSeconds} s`,
        `Kubernetes binds it with its next round; kubectl describe pvc ${name} -n ${namespace} says more.`,
      );
    await unlessOvertaken(client.patch(persistentVolumeClaims, { namespace, name }, kick(now, kicks)));
    await sleep(Math.min(100 * 2 ** kicks, 3000), undefined, { signal: stop });
  }
}
