import type { Failure } from "../api/failure.ts";
import type { Driver } from "../rpc/driver.ts";
import { Controller as ControllerService } from "../rpc/gen/csi_pb.js";
import type { Engine } from "../runtime/engine.ts";
import { type CapacityController, capacityController } from "./capacity/controller.ts";
import type { DriverFacts } from "./driver-facts.ts";
import { intentBook } from "./intents/book.ts";
import { acquaintance } from "./meet-driver.ts";
import { provisionMetrics } from "./metrics.ts";
import { leaseNameOf } from "./names.ts";
import { driverParametersOf } from "./parameters.ts";
import type { Rights } from "./rights.ts";
import type { ProvisionSettings } from "./settings.ts";
import type { Tools } from "./tools.ts";
import { provisionWatches, type Watches } from "./watches.ts";

export interface Making {
  readonly driver: Driver;
  readonly facts: DriverFacts;
  /** Asks the driver again who it is. */
  readonly meet: () => Promise<DriverFacts>;
  readonly settings: ProvisionSettings;
  readonly volumeName: (claimUid: string) => string;
  readonly rights: () => Rights;
  /** Where the leader's Lease is, and what is written down beside it. */
  readonly home: string;
  readonly pod: { readonly name: string; readonly namespace: string };
  readonly onOther: (failure: Failure) => void;
}

export interface Made {
  readonly tools: Tools;
  readonly capacity: CapacityController | undefined;
}

export function makeTools(engine: Engine, making: Making): Made {
  const { driver, facts, meet, settings, volumeName, rights, home, onOther } = making;
  const watches = provisionWatches(engine.sources, facts);
  const capacity = capacityOn(engine, watches, making);
  const advised = new Set<string>();
  const tools: Tools = {
    facts,
    settings,
    watches,
    volumeName,
    rights,
    controller: driver.calls(ControllerService),
    acquaintance: acquaintance(facts, meet, onOther),
    book: intentBook({
      client: engine.client,
      namespace: home,
      name: `${leaseNameOf(facts.name)}-intents`,
      holdsLease: () => engine.election.holdsWithMargin(),
      log: engine.log,
    }),
    metrics: provisionMetrics(engine.registry),
    advise(sentence) {
      if (!advised.has(sentence)) engine.log.warn(sentence);
      advised.add(sentence);
    },
    capacityChanged: (changed) => capacity?.refresh(changed),
    term: () => engine.election.term(),
  };
  return { tools, capacity };
}

function capacityOn(engine: Engine, watches: Watches, making: Making): CapacityController | undefined {
  const { driver, facts, settings, pod } = making;
  const { capacity } = settings;
  if (capacity === undefined) return undefined;
  if (!facts.capabilities.has("GET_CAPACITY")) {
    engine.log.warn("no capacity is told: the driver does not report GET_CAPACITY");
    return undefined;
  }
  const { nodes, csiNodes, classes } = watches;
  return capacityController(engine, {
    ...capacity,
    driverName: facts.name,
    namespace: pod.namespace,
    podName: pod.name,
    client: engine.clientWith(capacity.rate),
    classes,
    topology: nodes === undefined || csiNodes === undefined ? undefined : { nodes, csiNodes },
    driver: driver.calls(ControllerService),
    parametersOf(parameters) {
      const judged = driverParametersOf(parameters);
      return judged.is === "fine" ? judged.value : {};
    },
  });
}
