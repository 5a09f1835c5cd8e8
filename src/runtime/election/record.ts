import { defined } from "../../api/defined.ts";
import type { Lease, LeaseSpec } from "../../api/gen/coordination.ts";

export interface Durations {
  /** Others take over when they have seen no renewal for this long. */
  readonly leaseSeconds: number;
  /** A holder that could not renew for this long has lost the lease. Less than the above, or two would hold it. */
  readonly renewSeconds: number;
  readonly retrySeconds: number;
}

export const usualDurations: Durations = { leaseSeconds: 15, renewSeconds: 10, retrySeconds: 2 };

/** What the Lease said, and since when it says so: our own time, because other machines have other clocks. */
export interface Sighting {
  readonly record: string;
  readonly since: number;
}

/** Only a change of the record is a sign of life; an annotation that somebody sets is none. */
export function sightingOf(lease: Lease, last: Sighting | undefined, now: number): Sighting {
  const record = JSON.stringify([lease.metadata.uid, lease.spec]);
  return last?.record === record ? last : { record, since: now };
}

/** Whether somebody else may be at work. The holder's own term counts: it may run with other flags than we. */
export function isHeldByOther(
  { spec }: Lease,
  { since }: Sighting,
  { identity, now, leaseSeconds }: { readonly identity: string; readonly now: number; readonly leaseSeconds: number },
): boolean {
  const holder = spec?.holderIdentity ?? "";
  if (holder === "" || holder === identity) return false;
  return now < since + (spec?.leaseDurationSeconds ?? leaseSeconds) * 1000;
}

/** The record of our term: a new one, or the same one when it was ours already. */
export function heldSpec(spec: LeaseSpec | undefined, identity: string, leaseSeconds: number, wall: Date): LeaseSpec {
  const time = microTime(wall);
  const isOurs = spec?.holderIdentity === identity;
  const transitions = spec?.leaseTransitions ?? 0;
  return {
    ...spec,
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(leaseSeconds),
    acquireTime: isOurs ? (spec.acquireTime ?? time) : time,
    renewTime: time,
    leaseTransitions: isOurs || spec === undefined ? transitions : transitions + 1,
  };
}

/** Nobody's. The next one need not wait, not even one that only looks at the duration. */
export function releasedSpec(spec: LeaseSpec | undefined, wall: Date): LeaseSpec {
  return {
    ...defined({ leaseTransitions: spec?.leaseTransitions, acquireTime: spec?.acquireTime }),
    holderIdentity: "",
    leaseDurationSeconds: 1,
    renewTime: microTime(wall),
  };
}

/** The server takes exactly six digits. */
function microTime(wall: Date): string {
  return wall.toISOString().replace("Z", "000Z");
}
