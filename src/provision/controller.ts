import { type Controller, controllerOn, type Engine, trigger } from "../runtime/engine.ts";
import { decide } from "../runtime/table.ts";
import { deletionController } from "./deletion/controller.ts";
import { provisionerOf } from "./ownership.ts";
import { protectionController } from "./protection/controller.ts";
import { provisioning, type Step } from "./rules.ts";
import { keyOfClaim, observe, type Seen } from "./seen.ts";
import { report } from "./status.ts";
import { act } from "./steps.ts";
import type { Tools } from "./tools.ts";
import type { Claim } from "./watches.ts";

/** Over claims until they have their volumes, over volumes until they are gone, and over what volumes are filled from. */
export function provisionControllers(engine: Engine, tools: Tools, stop: AbortSignal): readonly Controller[] {
  const protection = protectionController(engine, tools, stop);
  const wakeSource = (key: string) => protection.loop.queue.add(key);
  const book = {
    ...tools.book,
    /** An order that is over may have been the last one that needed its source. */
    close(uid: string) {
      const source = tools.book.get(uid)?.order.source;
      tools.book.close(uid);
      if (source !== undefined) wakeSource(source);
    },
  };
  const all = { ...tools, book };
  return [claimController(engine, all), deletionController(engine, all), protection];
}

function claimController(engine: Engine, tools: Tools): Controller {
  const { watches, book, facts, settings, term } = tools;
  const eyes = { watches, book, driverName: facts.name, volumeName: tools.volumeName, term };
  const isItsOwn = (uid: string) => watches.volumes.get(tools.volumeName(uid))?.spec?.claimRef?.uid === uid;
  /** One whose volume is there and that has no intent is at rest, whatever else is written to it: most are, and most changes are such. */
  const isAtRest = ({ metadata: { uid }, spec }: Claim) =>
    book.get(uid) === undefined && ((spec?.volumeName ?? "") !== "" || isItsOwn(uid));
  const keysIn = (claims: readonly Claim[]) =>
    claims.flatMap((claim) => (provisionerOf(claim) === facts.name && !isAtRest(claim) ? [keyOf(claim)] : []));
  return controllerOn<Seen, Step>(engine, {
    backoff: settings.backoff,
    longestTurnSeconds: settings.longestTurnSeconds,
    reconciler: {
      name: "claims",
      observe: async (key, look) => observe(eyes, key, look),
      decide: (seen) => decide(provisioning, seen),
      act: (step, seen, hand) => act(step, seen, hand, tools),
      report,
      operationOf: ({ uid }) => uid,
    },
    triggers: [
      trigger(watches.claims, (claim) => keysIn([claim])),
      trigger(watches.volumes, ({ spec }) => keysIn(watches.claims.by("uid", spec?.claimRef?.uid ?? ""))),
      trigger(watches.classes, ({ metadata }) => keysIn(watches.claims.by("class", metadata.name))),
      {
        /** What whoever led before has begun. */
        attach(look) {
          for (const { order } of book.values()) look(keyOfClaim(order.claim.namespace, order.claim.uid));
        },
      },
    ],
  });
}

function keyOf({ metadata }: Claim): string {
  return keyOfClaim(metadata.namespace ?? "", metadata.uid);
}
