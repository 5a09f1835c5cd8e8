import type { Bucket } from "../../api/gen/cosi.ts";
import type { Stored } from "../../api/object.ts";
import { nothingYet, type Told } from "../text/told.ts";

export type Order = Stored<Bucket>;

/** What Portway itself says about a Bucket. It never ends: a bound one may be looked at again and found wanting. */
export function toldOn({ status }: Pick<Bucket, "status">): Told {
  if (status?.phase === undefined) return nothingYet;
  const { reason = "" } = status.conditions?.find(({ type }) => type === "SecretPublished") ?? {};
  return { phase: status.phase, reason, message: status.message ?? "", hasEnded: false };
}

export function isLeaving({ metadata }: Order): boolean {
  return metadata.deletionTimestamp !== undefined;
}
