import { misuse } from "../../api/failure.ts";
import type { VolumeNodeAffinity } from "../../api/gen/core.ts";
import type { Client } from "../../kube/client.ts";
import { type Controller, controllerOn, type Engine, trigger } from "../../runtime/engine.ts";
import type { Log } from "../../runtime/log.ts";
import { decide } from "../../runtime/table.ts";
import { type Segments, textOf } from "../topology-terms.ts";
import { type GoalOptions, goalsOf } from "./goals.ts";
import { capacityMetrics } from "./metrics.ts";
import { type OwnerSettings, ownerFinder } from "./owner.ts";
import { published, type Step, wanted } from "./rules.ts";
import { observeCapacity, type Seen, watchCapacities } from "./seen.ts";
import { isOurs, objectKey, pairKey, pairOf, segmentsOfVolume } from "./segments.ts";
import { actOnCapacity, type StepTools } from "./steps.ts";

export interface CapacityDeps
  extends OwnerSettings,
    Pick<GoalOptions, "driverName" | "forImmediateBinding" | "classes" | "topology">,
    Pick<StepTools, "driver" | "parametersOf"> {
  /** With a rate of its own: telling what is free must not hold back those who wait for a volume. */
  readonly client: Client;
  readonly pollSeconds: number;
  readonly workers: number;
}

/** What has just been made or deleted, as far as it is known. */
export interface Changed {
  readonly className?: string | undefined;
  readonly nodeAffinity?: VolumeNodeAffinity | undefined;
}

export interface CapacityController extends Controller {
  /** What is free is asked for anew where a volume has come or gone, or was refused; elsewhere it is soon enough with the next poll. */
  refresh(changed: Changed): void;
}

/** Over every class in every segment, and over every object that tells of one. */
export function capacityController(engine: Engine, deps: CapacityDeps): CapacityController {
  requirePlace(deps);
  const { driverName, namespace, client, classes, topology, workers, pollSeconds } = deps;
  const goals = goalsOf(deps);
  const capacities = watchCapacities(engine.sources, namespace, driverName);
  const wishes = new Map<string, number>();
  const now = () => engine.clock.now();
  const tools = { ...deps, now };
  const wishOf = (key: string) => wishes.get(key) ?? 0;
  const sight = { driverName, goals, capacities, now, pollSeconds, wishOf, owner: ownerFinder(client, deps) };
  capacityMetrics(engine.registry, driverName, goals, capacities);

  /** A pair, and all that is told of it: what was needed may be so no more. */
  const around = (pairs: readonly string[]) =>
    pairs.flatMap((pair) => [pair, ...capacities.by("pair", pair).map(objectKey)]);
  const inSegment = (segments: Segments | undefined) =>
    segments === undefined ? [] : around(goals.classNames().map((name) => pairKey(name, segments)));
  const ofClass = (name: string) => around(goals.segments().map((segments) => pairKey(name, segments)));

  const controller = controllerOn<Seen, Step>(
    { ...engine, client, workers, log: quiet(engine.log) },
    {
      reconciler: {
        name: "csistoragecapacity",
        async observe(key, look) {
          const seen = await observeCapacity(sight, key, look);
          if (seen === undefined) wishes.delete(key);
          return seen;
        },
        decide: (seen) => (seen.is === "wanted" ? decide(wanted, seen) : decide(published, seen)),
        act: (step, seen, hand) => actOnCapacity(step, seen, hand, tools),
        report: () => [],
      },
      triggers: [
        trigger(capacities, (object) => {
          if (!isOurs(object, driverName)) return [];
          const pair = pairOf(object);
          return [objectKey(object), ...(pair === undefined ? [] : around([pair]))];
        }),
        trigger(classes, ({ provisioner, metadata }) => (provisioner === driverName ? ofClass(metadata.name) : [])),
        ...(topology === undefined
          ? []
          : [
              trigger(topology.nodes, (node) => inSegment(goals.placeOfNode(node))),
              trigger(topology.csiNodes, (csiNode) => inSegment(goals.placeOfCSINode(csiNode))),
            ]),
      ],
    },
  );

  return {
    ...controller,
    refresh({ className, nodeAffinity }) {
      const places = new Set(segmentsOfVolume(nodeAffinity).map(textOf));
      for (const [pair, { segments, storageClass }] of goals.all()) {
        const isMeant =
          places.size > 0 ? places.has(textOf(segments)) : storageClass.metadata.name === (className ?? "");
        if (!isMeant) continue;
        wishes.set(pair, wishOf(pair) + 1);
        controller.loop.queue.add(pair);
      }
    },
  };
}

/** The driver is asked all day long: that it was is for those who want to know everything. Troubles are said as ever. */
function quiet(log: Log): Log {
  return {
    info: (message, fields) => log.debug(4, message, fields),
    debug: (level, message, fields) => log.debug(level, message, fields),
    warn: (message, fields) => log.warn(message, fields),
    error: (message, problem, fields) => log.error(message, problem, fields),
    with: (fields) => quiet(log.with(fields)),
  };
}

/** Objects belong to a namespace and to a pod, and only the pod's template can tell us which. */
function requirePlace({ namespace, podName, ownerLevel }: OwnerSettings): void {
  if (namespace === "")
    throw misuse("--enable-capacity needs to know the namespace", "Set NAMESPACE from metadata.namespace in the pod.");
  if (ownerLevel >= 0 && podName === "")
    throw misuse(
      "--enable-capacity needs to know the pod that owns its objects",
      "Set POD_NAME from metadata.name in the pod, or --capacity-ownerref-level=-1.",
    );
}
