import { volumeSnapshots } from "../../api/gen/snapshot.ts";
import { type Controller, controllerOn, type Engine, type Trigger, trigger } from "../../runtime/engine.ts";
import { decide } from "../../runtime/table.ts";
import { cloneFinalizer, snapshotFinalizer } from "../names.ts";
import type { Tools } from "../tools.ts";
import { type Claim, keyOfSource, sourcesNeededBy } from "../watches.ts";
import { protecting, type Step } from "./rules.ts";
import { observeSource, type Source } from "./seen.ts";
import { actOnSource } from "./steps.ts";

/** Over what volumes are filled from: whatever changes for a claim may free its source. */
export function protectionController(engine: Engine, tools: Tools, stop: AbortSignal): Controller {
  const { watches, book, rights } = tools;
  const eyes = { watches, book, rights, live: engine.client };
  return controllerOn<Source, Step>(engine, {
    reconciler: {
      name: "source-protection",
      observe: (key) => observeSource(eyes, key),
      decide: (seen) => decide(protecting, seen),
      act: actOnSource,
      report: () => [],
    },
    triggers: [
      trigger(watches.claims, (claim) => [...sourcesNeededBy(claim), ...itself(claim)]),
      sweep(engine, tools, stop),
    ],
  });
}

function itself({ metadata }: Claim): readonly string[] {
  const { namespace = "", name, finalizers } = metadata;
  return finalizers?.includes(cloneFinalizer) === true
    ? [keyOfSource("PersistentVolumeClaim", { namespace, name })]
    : [];
}

/** Snapshots cannot be watched under every role: those that a dead process left held are found by looking from time to time. */
function sweep({ client }: Engine, { rights, settings }: Tools, stop: AbortSignal): Trigger {
  return {
    attach(look, complain) {
      if (!rights().protectSnapshots) return;
      const sweepNow = async () => {
        for await (const { items } of client.pages(volumeSnapshots)) {
          const held = items.filter(({ metadata }) => metadata.finalizers?.includes(snapshotFinalizer) === true);
          for (const { metadata } of held)
            look(keyOfSource("VolumeSnapshot", { namespace: metadata.namespace ?? "", name: metadata.name }));
        }
      };
      const again = () => void sweepNow().catch(complain);
      const timer = setInterval(again, settings.sweepSeconds * 1000);
      stop.addEventListener("abort", () => clearInterval(timer), { once: true });
      again();
    },
  };
}
