import { rest, step, type Table } from "../../runtime/table.ts";
import { isTurned } from "../seen.ts";
import { closedGate } from "./gates.ts";
import type { Offered } from "./seen.ts";

export type Step = "release-hold" | "lock-volume";

type Say = (s: Offered) => boolean;

/** Its own volume is locked for this very give, or was before the words on the claim changed. */
export const isLocked: Say = ({ reading, source }) =>
  reading.is === "give" && reading.journal.outcome === undefined && reading.journal.source.uid === source.metadata.uid;
/** Nothing that was sent under its journal can put the policy back any more. */
const isSafe: Say = (s) => isLocked(s) && s.reading.is === "give" && !isTurned(s.source, s.reading.journal);
const isGiven: Say = ({ wish }) => wish.is !== "none";
const isInTheWay: Say = (s) => isGiven(s) && !isLocked(s) && closedGate(s) !== undefined;
/** Nobody is left who could mend what is in the way, and a namespace must be able to go. */
const mustLetGo: Say = (s) => !isGiven(s) || isSafe(s) || (!s.sourceNamespaceStays && isInTheWay(s));

/** What can happen to a claim that is given away, until its volume is locked. */
export const offered: Table<Offered, Step> = [
  ["nothing needs the hold any more", (s) => s.isHeld && mustLetGo(s), step("release-hold")],
  ["something is in the way", isInTheWay, (s) => closedGate(s) ?? rest],
  ["the volume is not locked", (s) => isGiven(s) && !isLocked(s), step("lock-volume")],
  ["its volume is locked, or nothing is given", (s) => isLocked(s) || !isGiven(s), rest],
];
