import { persistentVolumes } from "../../api/gen/core.ts";
import { type Controller, controllerOn, type Engine, trigger } from "../../runtime/engine.ts";
import { decide } from "../../runtime/table.ts";
import { eventReasons } from "../names.ts";
import { isVolumeOf } from "../ownership.ts";
import type { Tools } from "../tools.ts";
import { ending, type Step } from "./rules.ts";
import { type Ending, isAtRest, observeEnding } from "./seen.ts";
import { actOnEnding } from "./steps.ts";

/** Over the volumes of the driver, until they are gone. */
export function deletionController(engine: Engine, tools: Tools): Controller {
  const { watches, facts, settings } = tools;
  return controllerOn<Ending, Step>(engine, {
    backoff: settings.backoff,
    longestTurnSeconds: settings.longestTurnSeconds,
    reconciler: {
      name: "volumes",
      observe: async (name, look) => observeEnding(watches, facts.name, name, look),
      decide: (seen) => decide(ending, seen),
      act: (step, seen, hand) => actOnEnding(step, seen, hand, tools),
      report({ volume }, { plan }) {
        if (plan.do !== "refuse" || plan.why !== "VolumeAttached") return [];
        const says = { type: "Warning", reason: eventReasons.deleteFailed, message: plan.detail ?? "" } as const;
        return [{ resource: persistentVolumes, object: volume, says }];
      },
    },
    triggers: [
      trigger(watches.volumes, (volume) =>
        isVolumeOf(volume, facts.name) && !isAtRest(volume) ? [volume.metadata.name] : [],
      ),
      ...(watches.attachments === undefined
        ? []
        : [trigger(watches.attachments, ({ spec }) => [spec.source.persistentVolumeName ?? ""])]),
    ],
  });
}
