import type { Lease } from "../api/gen/coordination.ts";

/** A Lease that nobody has renewed for so long is nobody's. */
export const staleSeconds = 60;

/** When its holder last said that it lives; undefined when there is no holder. */
export function renewedAt(lease: Lease | undefined): Date | undefined {
  const renewed = Date.parse(lease?.spec?.renewTime ?? "");
  const holder = lease?.spec?.holderIdentity ?? "";
  return holder === "" || Number.isNaN(renewed) ? undefined : new Date(renewed);
}
