import { type Controller, controllerOn, type Engine, trigger } from "../../src/runtime/engine.ts";
import { decide } from "../../src/runtime/table.ts";
import { rules } from "./rules.ts";
import { claimOf, deedWatches, observe } from "./seen.ts";
import { report } from "./status.ts";
import { act } from "./steps.ts";

export function sampleController(engine: Engine): readonly Controller[] {
  const watches = deedWatches(engine.sources);
  return [
    controllerOn(engine, {
      reconciler: {
        name: "sample",
        observe: (key, look) => observe(watches, key, look),
        decide: (seen) => decide(rules, seen),
        act,
        report,
        operationOf: ({ claim }) => claim.metadata.uid,
      },
      triggers: [
        trigger(watches.claims, ({ metadata }) => [`${metadata.namespace ?? ""}/${metadata.name}`]),
        trigger(watches.volumes, ({ spec }) => [`${spec?.claimRef?.namespace ?? ""}/${spec?.claimRef?.name ?? ""}`]),
        trigger(watches.deeds, claimOf),
      ],
    }),
  ];
}
