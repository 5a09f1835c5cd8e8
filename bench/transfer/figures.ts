import { quantile, row as rowOf } from "../goals.ts";
import type { Result } from "../report.ts";
import type { Crowded } from "./crowd.ts";
import type { GivesMeasured } from "./gives.ts";

/** What one way of moving volumes took. */
export interface Measured {
  /** One at a time with a pause before each, in milliseconds. */
  readonly idle: readonly number[];
  /** With many in flight. */
  readonly perSecond: number;
  readonly busy: readonly number[];
  /** For each transfer: writes without events, leases and repeated kicks; and those kicks. */
  readonly writes: number;
  readonly kicksIdle: number;
  readonly kicksBusy: number;
}

export const peerName = "CDI's order";
const prefix = "transfer: ";
const timesItsIdleTime = "the same, times its idle time";
/** The name of the figure that tells what one tenant's burst costs another. */
export const fairness = `${prefix}${timesItsIdleTime}`;

/** Each figure of ours beside the script's, and whether the goal is met. */
export function resultsOf(ours: Measured, peer: Measured, { megabytes, restartSeconds }: Crowded): readonly Result[] {
  const { NaN: none } = Number;
  return [
    row("transfers/s, 25 in flight", ours.perSecond, peer.perSecond, ["≥", 9]),
    row("with 25 in flight, p50 ms", quantile(ours.busy, 0.5), quantile(peer.busy, 0.5)),
    row("idle, p50 ms", quantile(ours.idle, 0.5), quantile(peer.idle, 0.5), ["≤", 150]),
    row("idle, p99 ms", quantile(ours.idle, 0.99), quantile(peer.idle, 0.99), ["≤", 500]),
    row("idle, longest ms", Math.max(...ours.idle), Math.max(...peer.idle), ["≤", 2000]),
    row("writes each", ours.writes, peer.writes, ["≤", 8]),
    row("repeated kicks each, idle", ours.kicksIdle, none),
    row("repeated kicks each, 25 in flight", ours.kicksBusy, none),
    row("1,000 journaled volumes known after a restart, s", restartSeconds, none, ["≤", 10]),
    row("memory with 10,000 claims and volumes, MB", megabytes, none, ["≤", 120]),
  ];
}

/** Another tenant's transfer beside its own idle time, in the same run. */
export function giveResults({ writes, perSecond, alone, meanwhile }: GivesMeasured): readonly Result[] {
  const { NaN: none } = Number;
  return [
    row("give by annotation, writes each", writes, none, ["≤", 6]),
    row("500 gives accepted at once, /s", perSecond, none),
    row("another tenant's transfer alone, p50 ms", quantile(alone, 0.5), none),
    row("another tenant's transfer beside 500 gives, p50 ms", quantile(meanwhile, 0.5), none),
    row(timesItsIdleTime, quantile(meanwhile, 0.5) / quantile(alone, 0.5), none, ["≤", 2]),
  ];
}

function row(name: string, ours: number, peer: number, goal?: readonly ["≤" | "≥", number]): Result {
  return rowOf(`${prefix}${name}`, ours, peer, peerName, goal);
}
