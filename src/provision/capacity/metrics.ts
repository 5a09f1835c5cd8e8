import type { Cache } from "../../kube/cache/store.ts";
import type { MetricsRegistry } from "../../runtime/metrics/registry.ts";
import type { Goals } from "./goals.ts";
import { type Capacity, objectOf } from "./seen.ts";
import { isOurs } from "./segments.ts";

/** Read at every scrape, under the vendor's names: what is wanted, how much of it is there, and what will be deleted. */
export function capacityMetrics(
  registry: MetricsRegistry,
  driverName: string,
  goals: Pick<Goals, "all">,
  capacities: Pick<Cache<Capacity>, "by" | "values">,
): void {
  const wanted = () => goals.all().size;
  const current = () => [...goals.all().keys()].filter((pair) => objectOf(capacities, pair) !== undefined).length;
  const ours = () => [...capacities.values()].filter((object) => isOurs(object, driverName)).length;
  const gauge = (name: string, help: string, value: () => number) =>
    registry.gauge({ name: `csistoragecapacities_${name}`, help }).read({}, value);
  gauge("desired_goal", "CSIStorageCapacity objects that should be there.", wanted);
  gauge("desired_current", "CSIStorageCapacity objects that should be there and are.", current);
  gauge(
    "obsolete",
    "CSIStorageCapacity objects that are there and will be deleted; those with old figures are not among them.",
    () => ours() - current(),
  );
}
