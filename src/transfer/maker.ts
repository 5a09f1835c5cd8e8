import { statefulSets } from "../api/gen/apps.ts";
import type { Hand } from "../runtime/hand.ts";
import { controllerOf, isNumbered, makes } from "./template.ts";
import type { Claim } from "./watches.ts";

/**
 * Who would make the source again, empty, once it is gone: its owner, or a StatefulSet with a template for a claim of
 * this name, which seldom owns what it makes. It is only a warning, so not to know it holds nothing up.
 */
export async function makerOf(
  source: Claim,
  { live, signal }: Pick<Hand, "live" | "signal">,
): Promise<string | undefined> {
  const owner = controllerOf(source);
  if (owner !== undefined) return owner;
  if (!isNumbered(source.metadata.name)) return undefined;
  try {
    for await (const { items } of live.pages(
      statefulSets,
      { namespace: source.metadata.namespace ?? "" },
      { signal },
    )) {
      const set = items.find((one) => makes(one, source.metadata.name));
      if (set !== undefined) return `StatefulSet ${set.metadata.name}`;
    }
  } catch {
    return undefined;
  }
  return undefined;
}
