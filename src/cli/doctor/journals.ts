import { type PersistentVolume, persistentVolumes } from "../../api/gen/core.ts";
import { storageTransferRequests } from "../../api/gen/transfer.ts";
import type { Stored } from "../../api/object.ts";
import { isReason, reasons } from "../../api/reasons.ts";
import { type AnyJournal, type Journal, journalOn, type Reading } from "../../api/transfer/journal.ts";
import { type Eyes, valueOf } from "../kubectl/eyes.ts";
import { inWords } from "../kubectl/names.ts";
import { ageOf } from "../text/age.ts";
import type { Told } from "../text/told.ts";
import { toldOn } from "../transfer/told.ts";
import { type Finding, fault, note, ok, unseen } from "./finding.ts";

const about = "volumes";

interface How {
  readonly now: Date;
  /** An open journal that is older than this is told. */
  readonly stuckAfterSeconds: number;
}

/** Transfers that do not end by themselves, and volumes that nobody owns. */
export async function journalFindings(eyes: Eyes, how: How): Promise<readonly Finding[]> {
  const volumes = await eyes.list(persistentVolumes);
  if (volumes.is === "unseen") return [unseen(about, "volumes, and so whether a transfer is stuck")];
  const found: Finding[] = [];
  for (const volume of volumes.value) {
    const reading = journalOn(volume);
    const finding = await findingOn(eyes, volume, reading, how);
    if (finding !== undefined) found.push(finding);
  }
  const open = volumes.value.filter(isUnderWay).length;
  return found.length > 0 ? found : [ok(about, `none is stuck or orphaned; ${open} under way`)];
}

async function findingOn(
  eyes: Eyes,
  volume: Stored<PersistentVolume>,
  reading: Reading,
  how: How,
): Promise<Finding | undefined> {
  if (reading.is === "journal")
    return journalFinding(volume, reading.journal, await toldAbout(eyes, volume, reading.journal, how), how);
  // A give waits for people, for weeks if need be: that is no trouble.
  if (reading.is === "give") return orphanFinding(volume, reading.journal);
  return reading.is === "closed book" ? closedBook(volume, reading.why) : undefined;
}

function isUnderWay(volume: Stored<PersistentVolume>): boolean {
  const reading = journalOn(volume);
  return (reading.is === "journal" || reading.is === "give") && reading.journal.outcome === undefined;
}

/** What Portway says itself about a transfer that takes long; the request may be gone, or hidden. */
async function toldAbout(
  eyes: Eyes,
  volume: Stored<PersistentVolume>,
  journal: Journal,
  how: How,
): Promise<Told | undefined> {
  if (!isUnderWay(volume) || !isLate(journal, how)) return undefined;
  const { target, request } = journal;
  const found = valueOf(await eyes.find(storageTransferRequests, { namespace: target.namespace, name: request.name }));
  return found?.metadata.uid === request.uid ? toldOn(found) : undefined;
}

function isLate({ startedAt }: Journal, { now, stuckAfterSeconds }: How): boolean {
  return (now.getTime() - Date.parse(startedAt)) / 1000 > stuckAfterSeconds;
}

/** undefined when there is nothing to tell. */
export function journalFinding(
  volume: Stored<PersistentVolume>,
  journal: Journal,
  told: Told | undefined,
  how: How,
): Finding | undefined {
  if (journal.outcome !== undefined) return orphanFinding(volume, journal);
  if (!isLate(journal, how)) return undefined;
  const { name } = volume.metadata;
  const age = ageOf(journal.startedAt, how.now);
  const why = told === undefined ? "its request is gone or hidden" : `${told.phase}, ${told.reason}: ${told.message}`;
  const advice = told !== undefined && isReason(told.reason) ? `${reasons[told.reason].next} ` : "";
  return fault(
    `volume ${name}`,
    `${routeOf(journal)} is open for ${age}: ${why}`,
    `${advice}All of it: kubectl portway explain pv/${name}.`,
  );
}

/** Once it is assigned it is bound, and the journal stays as a record. */
function orphanFinding(
  { metadata: { name }, status }: Stored<PersistentVolume>,
  journal: AnyJournal,
): Finding | undefined {
  if (journal.outcome !== "orphaned" || status?.phase === "Bound") return undefined;
  const assign = `Decide who gets it: kubectl portway assign ${name} NAMESPACE/NAME.`;
  return fault(`volume ${name}`, `${routeOf(journal)} left it without a claim; its data is kept`, assign);
}

function closedBook({ metadata: { name } }: Stored<PersistentVolume>, why: string): Finding {
  return note(`volume ${name}`, `${why}, so it is left alone`, "Remove the annotation if it is of no use to you.");
}

function routeOf({ id, source, target }: AnyJournal): string {
  return `the transfer ${id} from ${inWords(source)} to ${inWords(target)}`;
}
