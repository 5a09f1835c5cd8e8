import { staleSeconds } from "../lease.ts";
import type { Seen } from "./seen.ts";

/** A content that waits no longer than this is no reason to ask after its driver. */
const patientSeconds = 10;
const askAgainSeconds = 30;

const secondsFrom = (moment: Date, to: Date) => (to.getTime() - moment.getTime()) / 1000;

/** A driver that was killed leaves its registration behind; only its Lease grows old. */
export function isSilent({ heard }: Seen): boolean {
  if (heard === undefined) return false;
  return heard.renewedAt === undefined || secondsFrom(heard.renewedAt, heard.at) > staleSeconds;
}

export function isWondering(s: Seen): boolean {
  const seconds = secondsToWonder(s);
  return seconds !== undefined && seconds <= 0;
}

/** Until the driver's Lease is worth a look; undefined while there is no driver to look for. */
export function secondsToWonder({ content, driver, heard, now }: Seen): number | undefined {
  if (content === undefined || driver === undefined) return undefined;
  const { creationTimestamp = "", deletionTimestamp = creationTimestamp } = content.metadata;
  const patience = patientSeconds - secondsFrom(new Date(deletionTimestamp), now);
  const pause = heard === undefined ? 0 : askAgainSeconds - secondsFrom(heard.at, now);
  return Math.max(Number.isNaN(patience) ? 0 : patience, pause);
}
