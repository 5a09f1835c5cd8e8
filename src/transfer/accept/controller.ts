import { type Controller, controllerOn, type Engine, trigger } from "../../runtime/engine.ts";
import { decide } from "../../runtime/table.ts";
import { reportOn } from "../give/status.ts";
import { type Claim, keyOf, placesIn, type Watches } from "../watches.ts";
import { accepting } from "./rules.ts";
import { type Accepting, concernsAccept, observeAccepting } from "./seen.ts";

/** Over claims that accept, as long as nothing is on its way to them. */
export function acceptController(
  engine: Engine,
  watches: Watches,
  settings: { readonly transfersAreOn: boolean },
): Controller {
  const { claims, volumes } = watches;
  const keysIn = (found: readonly (Claim | undefined)[]) =>
    found.flatMap((claim) => (claim !== undefined && concernsAccept(claim) ? [keyOf(claim)] : []));
  return controllerOn<Accepting, never>(engine, {
    reconciler: {
      name: "accept",
      observe: (key, look) => observeAccepting(watches, settings, key, look),
      decide: (seen) => decide(accepting, seen),
      act: async (step) => step,
      report: ({ claim, now }, decision) => reportOn(claim, decision, now),
      operationOf: ({ claim }) => claim.metadata.uid,
    },
    triggers: [
      trigger(claims, (claim) => keysIn([claim])),
      trigger(volumes, (volume) => keysIn(placesIn(volume).map((place) => claims.get(place)))),
    ],
  });
}
