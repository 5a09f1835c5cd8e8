import { rest, step, type Table } from "../../runtime/table.ts";
import { covers, type Keyring } from "./keyring.ts";

/** What a replica sees of the certificates, its own included. */
export interface Seen {
  readonly keyring: Keyring;
  /** The API server is told to trust everything in the keyring, and nothing else. */
  readonly isTrusted: boolean;
  /** This replica serves the current one. */
  readonly isServed: boolean;
  /** For how long this replica has seen the next one among the trusted. */
  readonly nextTrustedSeconds: number;
  readonly names: readonly string[];
  readonly schedule: Schedule;
  readonly now: Date;
}

/** A certificate is replaced when a third of its life is left: time to be late in, several times over. */
export interface Schedule {
  readonly lifetimeSeconds: number;
  readonly renewSeconds: number;
  /** All API servers have heard of a new certificate by then. */
  readonly settleSeconds: number;
  readonly checkSeconds: number;
}

export function scheduleFor(lifetimeSeconds: number): Schedule {
  return {
    lifetimeSeconds,
    renewSeconds: lifetimeSeconds / 3,
    settleSeconds: Math.min(60, lifetimeSeconds / 12),
    checkSeconds: Math.min(10, lifetimeSeconds / 30),
  };
}

export type Step = "make-current" | "trust" | "serve" | "make-next" | "promote";

/** Every replica runs it by itself. Each write tests the version it is built on, so one of them wins and the others look again. */
export const rules: Table<Seen, Step> = [
  ["there is nothing that can be served", (seen) => !isGood(seen), step("make-current")],
  ["the API server does not trust what there is", ({ isTrusted }) => !isTrusted, step("trust")],
  ["this replica serves another one", ({ isServed }) => !isServed, step("serve")],
  ["the current one needs a successor and has none", (seen) => isOld(seen) && !hasSuccessor(seen), step("make-next")],
  ["the successor is trusted everywhere", isSettled, step("promote")],
  ["everything is in place", () => true, rest],
];

function isGood({ keyring: { current }, now }: Seen): boolean {
  return current !== undefined && current.notAfter > now;
}

function isOld({ keyring: { current }, names, schedule, now }: Seen): boolean {
  if (current === undefined) return false;
  const leftSeconds = (current.notAfter.getTime() - now.getTime()) / 1000;
  return leftSeconds < schedule.renewSeconds || !covers(current, names);
}

function hasSuccessor({ keyring: { next }, names, now }: Seen): boolean {
  return next !== undefined && next.notAfter > now && covers(next, names);
}

function isSettled(seen: Seen): boolean {
  return hasSuccessor(seen) && seen.nextTrustedSeconds >= seen.schedule.settleSeconds;
}
