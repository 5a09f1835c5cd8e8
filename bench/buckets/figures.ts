import { quantile, row } from "../goals.ts";
import type { Result } from "../report.ts";

/** What Buckets took. */
export interface Measured {
  /** From the request to the Secret, in milliseconds: one at a time, and with many in flight. */
  readonly idle: readonly number[];
  readonly busy: readonly number[];
  /** From the deletion until nothing is left. */
  readonly leaving: readonly number[];
  readonly perSecond: number;
  readonly leavesPerSecond: number;
  /** For each Bucket, by controller and sidecar together, without Events and Leases. */
  readonly writes: number;
  readonly reads: number;
  readonly busyWrites: number;
  readonly leaveWrites: number;
  /** With all of them held. */
  readonly megabytes: { readonly controller: number; readonly sidecar: number; readonly driver: number };
}

export const peerName = "COSI v0.2.2, counted";

/**
 * Upstream's controller and sidecar cannot be built from what is published, so these are counted in its code: the calls of a claim and
 * an access that all work out, and the client's limit of five requests a second. None of it was measured.
 */
const counted = { perSecond: 0.5, writes: 10, reads: 8 } as const;

export function resultsOf(
  ours: Measured,
  { idle, burst, inFlight }: { idle: number; burst: number; inFlight: number },
) {
  const { NaN: none } = Number;
  const of = (...[name, ...rest]: Parameters<typeof row>): Result => row(`buckets: ${name}`, ...rest);
  const { controller, sidecar, driver } = ours.megabytes;
  return [
    of(`Bucket to usable Secret, ${idle} one after another, p50 ms`, quantile(ours.idle, 0.5), none, peerName),
    of("the same, p99 ms", quantile(ours.idle, 0.99), none, peerName),
    of(`${burst} Buckets, ${inFlight} in flight: Secrets/s`, ours.perSecond, counted.perSecond, peerName),
    of("Bucket to usable Secret meanwhile, p50 ms", quantile(ours.busy, 0.5), none, peerName),
    of("the same meanwhile, p99 ms", quantile(ours.busy, 0.99), none, peerName),
    of("writes for each Bucket", ours.writes, counted.writes, peerName, ["≤", 12]),
    of("reads for each Bucket", ours.reads, counted.reads, peerName, ["≤", 3]),
    of(`writes for each, ${inFlight} in flight`, ours.busyWrites, counted.writes, peerName, ["≤", 12]),
    of(`deleted with everything in them, ${inFlight} in flight: /s`, ours.leavesPerSecond, none, peerName),
    of("deleted to gone, p50 ms", quantile(ours.leaving, 0.5), none, peerName),
    of("deleted to gone, p99 ms", quantile(ours.leaving, 0.99), none, peerName),
    of("writes for each deleted", ours.leaveWrites, none, peerName),
    of("memory of the controller with all of them, MB", controller, none, peerName),
    of("memory of the sidecar with all of them, MB", sidecar, none, peerName),
    of("memory of the S3 driver with all of them, MB", driver, none, peerName),
  ];
}
