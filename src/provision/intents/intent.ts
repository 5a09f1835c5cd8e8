import type { Order } from "../order.ts";

/**
 * An order that the driver may have begun. It is stored before the driver is asked for the first time and taken away when the
 * volume is written or the driver has said that nothing was made, so a process that dies in between leaves nothing behind that nobody
 * knows of.
 */
export interface Intent {
  readonly v: 1;
  readonly order: Order;
  readonly since: string;
  /** How often the leader's Lease had changed hands by then; absent where nobody is elected. */
  readonly term?: number;
}

export type Reading =
  | { readonly is: "intent"; readonly intent: Intent }
  /** Somebody else's, or of a version that we do not know: it is left as it is. */
  | { readonly is: "strange"; readonly why: string };

/** The annotation of a claim's intent, on one of the Leases of the book. */
export const intentPrefix = "intents.portway.dev/";

export function intentText(intent: Intent): string {
  return JSON.stringify(intent);
}

export function intentIn(text: string): Reading {
  let read: Partial<Intent> | null;
  try {
    read = JSON.parse(text) as Partial<Intent> | null;
  } catch {
    return { is: "strange", why: "it is no JSON" };
  }
  if (read?.v !== 1) return { is: "strange", why: `its version is ${JSON.stringify(read?.v)}, and 1 is known here` };
  if (read.order?.v !== 1 || typeof read.order.claim?.uid !== "string" || read.since === undefined)
    return { is: "strange", why: "it names no claim" };
  return { is: "intent", intent: read as Intent };
}

const oldSeconds = 3600;

/**
 * Why what comes of an intent must not be destroyed without a look: after so long, or when others have led in between, somebody
 * may have finished it, kept its data and taken the volume's object away.
 */
export function doubtAbout({ since, term }: Intent, now: Date, termNow: number | undefined): string | undefined {
  const seconds = (now.getTime() - Date.parse(since)) / 1000;
  if (!(seconds < oldSeconds)) return `it was begun ${since}`;
  if (term === undefined || termNow === undefined || term === termNow || term + 1 === termNow) return undefined;
  return "another process has led since it was begun";
}
