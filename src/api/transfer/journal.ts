import type { PersistentVolume, PersistentVolumeClaimSpec } from "../gen/core.ts";
import type { Stored } from "../object.ts";
import { journalAnnotation } from "./names.ts";

export interface Party {
  readonly namespace: string;
  readonly namespaceUID: string;
  readonly name: string;
  /** Of a target, known from the moment the volume points at it. */
  readonly uid?: string;
}

/** What is needed to write the claim again, here or there. */
export interface ClaimShape {
  readonly accessModes: NonNullable<PersistentVolumeClaimSpec["accessModes"]>;
  readonly storage: string;
  readonly storageClassName: string;
  readonly volumeMode?: NonNullable<PersistentVolumeClaimSpec["volumeMode"]>;
  readonly volumeAttributesClassName?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export type Outcome = "complete" | "rolled-back" | "orphaned";

interface Consent {
  readonly name: string;
  readonly uid: string;
}

/** One use of a standing approval. When it was reserved tells it from one that the same request had before. */
export interface UseOfPolicy extends Consent {
  readonly at: string;
}

/**
 * The intent record: one annotation on the volume, which outlives both claims, both consents and both namespaces, and
 * which tenants cannot touch. Written together with the policy Retain before anything is destroyed; the finished one
 * stays as the record of who got the volume from whom.
 */
export interface AnyJournal {
  readonly v: 1;
  readonly id: string;
  /** The volume's own uid: one that was restored from a back-up carries somebody else's journal, and is left alone. */
  readonly volumeUID: string;
  readonly source: Party & { readonly uid: string };
  readonly target: Party;
  /** The reclaim policy to put back. */
  readonly policy: string;
  readonly boundByController: boolean;
  readonly claim: ClaimShape;
  /** How often it was written again to go on after all, so that no way back which was sent before can be stored any more. */
  readonly renewed?: number;
  readonly startedAt: string;
  readonly outcome?: Outcome;
  readonly endedAt?: string;
}

/** Of a claim that is given away by an annotation and accepted by another: both consents stand on the claims themselves. */
export interface GiveJournal extends AnyJournal {
  readonly door: "annotation";
}

/** Of a claim that was asked for and approved. */
export interface Journal extends AnyJournal {
  readonly door?: undefined;
  readonly request: Consent;
  /** The owner's yes: an approval, or a use of a policy. Never both. */
  readonly approval?: Consent;
  readonly standing?: UseOfPolicy;
  /** In one namespace, and its quota has no room for both claims at a time: the target is made when the source is gone. */
  readonly targetLast?: true;
  /** The approval was withdrawn when the source had been given up already. */
  readonly revokedTooLate?: true;
}

export type Reading =
  | { readonly is: "none" }
  /** Not ours to act upon, and said why. */
  | { readonly is: "closed book"; readonly why: string }
  | { readonly is: "give"; readonly journal: GiveJournal }
  | { readonly is: "journal"; readonly journal: Journal };

/** Anything but a journal of this version and this very volume is left alone. */
export function journalOn({ metadata: { annotations, uid } }: Stored<PersistentVolume>): Reading {
  const text = annotations?.[journalAnnotation];
  if (text === undefined) return { is: "none" };
  const journal = parsed(text);
  if (journal === undefined) return { is: "closed book", why: "the journal on the volume is not readable" };
  if (journal.v !== 1)
    return { is: "closed book", why: `the journal is of a newer Portway (version ${String(journal.v)})` };
  if (journal.volumeUID !== uid)
    return { is: "closed book", why: "the journal belongs to another volume, as after a restore" };
  return journal.door === "annotation" ? { is: "give", journal } : { is: "journal", journal };
}

/** Whatever door it came through. */
export function anyJournalOn(volume: Stored<PersistentVolume>): AnyJournal | undefined {
  const reading = journalOn(volume);
  return reading.is === "journal" || reading.is === "give" ? reading.journal : undefined;
}

type Parts = Readonly<Partial<Record<keyof Journal | keyof GiveJournal, unknown>>> | null;

function parsed(text: string): Journal | GiveJournal | undefined {
  try {
    const journal = JSON.parse(text) as Parts;
    const isOurs = isVersioned(journal) && (journal["v"] !== 1 || isWhole(journal));
    return isOurs ? (journal as unknown as Journal | GiveJournal) : undefined;
  } catch {
    return undefined;
  }
}

function isVersioned(journal: Parts): journal is NonNullable<Parts> {
  return typeof journal?.v === "number" && typeof journal.id === "string";
}

/** A part that is missing would be found out about in the middle of a transfer. */
type Words = readonly (readonly [part: keyof Journal, members: readonly string[]])[];

const always: Words = [
  ["source", ["namespace", "namespaceUID", "name", "uid"]],
  ["target", ["namespace", "namespaceUID", "name"]],
  ["claim", ["storage", "storageClassName"]],
];
const askedFor: Words = [["request", ["name", "uid"]]];

/** Exactly one of them stands there. */
const consents: Words = [
  ["approval", ["name", "uid"]],
  ["standing", ["name", "uid", "at"]],
];

function isWhole(journal: NonNullable<Parts>): boolean {
  const { door, policy, claim } = journal;
  const isDescribed = always.every((words) => hasWords(journal, words));
  const isAgreed = door === "annotation" || isAskedFor(journal);
  const hasRest = typeof policy === "string" && Array.isArray((claim as Partial<ClaimShape> | undefined)?.accessModes);
  return isDescribed && isAgreed && hasRest;
}

function isAskedFor(journal: NonNullable<Parts>): boolean {
  const given = consents.filter(([part]) => journal[part] !== undefined);
  return given.length === 1 && [...askedFor, ...given].every((words) => hasWords(journal, words));
}

function hasWords(journal: NonNullable<Parts>, [part, members]: Words[number]): boolean {
  const found = journal[part] as Readonly<Record<string, unknown>> | null | undefined;
  return members.every((member) => typeof found?.[member] === "string");
}

export function journalText(journal: AnyJournal): string {
  return JSON.stringify(journal);
}
