import { handOverCondition } from "../../api/transfer/names.ts";
import { acceptOn, type Wish } from "../../api/transfer/wish.ts";
import type { Look } from "../../runtime/reconciler.ts";
import { concernsGive } from "../give/seen.ts";
import { isSpokenTo } from "../given/voice.ts";
import type { Claim, Watches } from "../watches.ts";

/**
 * A claim that accepts a volume, or did, while none is on its way to it. It is told nothing that depends on its source: whoever
 * accepts must not learn whether that exists.
 */
export interface Accepting {
  readonly claim: Claim;
  readonly wish: Wish;
  readonly transfersAreOn: boolean;
  readonly now: Date;
}

export function concernsAccept(claim: Claim): boolean {
  const wasTold = claim.status?.conditions?.some(({ type }) => type === handOverCondition) === true;
  const hasVolume = (claim.spec?.volumeName ?? "") !== "";
  return !hasVolume && !concernsGive(claim) && (wasTold || acceptOn(claim).is !== "none");
}

export async function observeAccepting(
  watches: Watches,
  { transfersAreOn }: { readonly transfersAreOn: boolean },
  key: string,
  { now }: Look,
): Promise<Accepting | undefined> {
  const claim = watches.claims.get(key);
  if (claim === undefined || !concernsAccept(claim) || isSpokenTo(claim, undefined, watches)) return undefined;
  return { claim, wish: acceptOn(claim), transfersAreOn, now };
}
