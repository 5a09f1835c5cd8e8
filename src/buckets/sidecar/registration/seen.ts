import { isDeepStrictEqual } from "node:util";
import type { COSIRegistration, COSIRegistrationSpec } from "../../../api/gen/cosi.ts";
import type { Stored } from "../../../api/object.ts";
import type { Cache } from "../../../kube/cache/store.ts";
import type { Look } from "../../../runtime/reconciler.ts";

export type Registration = Stored<COSIRegistration>;

/** Who has the driver's name, and who we are. */
export interface Seen {
  readonly wished: COSIRegistrationSpec;
  readonly found: Registration | undefined;
  /** What the other one's Lease said, and when we asked. */
  readonly asked: Asked | undefined;
  /** Since when we have tried. */
  readonly since: Date;
  readonly now: Date;
}

export interface Asked {
  readonly at: Date;
  /** Of that registration, as it was. */
  readonly version: string;
  readonly renewedAt: Date | undefined;
}

export interface Eyes {
  readonly registrations: Cache<Registration>;
  readonly wished: COSIRegistrationSpec;
  readonly since: Date;
}

export function observe({ registrations, wished, since }: Eyes, key: string, { now, reply }: Look): Seen {
  const found = registrations.get(key);
  const asked = reply as Asked | undefined;
  return { wished, found, asked: asked?.version === found?.metadata.resourceVersion ? asked : undefined, since, now };
}

/** By the instance, which is the same after a restart and in every replica. */
export function isOurs({ spec }: Registration, wished: COSIRegistrationSpec): boolean {
  return spec.instanceID === wished.instanceID;
}

export function isAsWished({ spec }: Registration, wished: COSIRegistrationSpec): boolean {
  return isDeepStrictEqual(spec, wished);
}
