import { must, Overtaken } from "../../runtime/must.ts";
import type { Watches } from "../watches.ts";
import type { Offered } from "./seen.ts";

/**
 * The places for gives that wait, when several workers look at the same moment and all of them see the last one free: one
 * takes it, and the others look again. It is held until the answer to the lock is in the cache, where everybody counts it.
 */
export interface Places {
  whileLocking<Answer>(seen: Offered, lock: () => Promise<Answer>): Promise<Answer>;
}

export function placesIn({ volumes }: Pick<Watches, "volumes">): Places {
  /** By the volume that is being locked: the namespace that gives it. */
  const locking = new Map<string, string>();

  /** By name, because the watch may show a lock before its answer is here. */
  function takenIn(namespace: string): ReadonlySet<string> {
    const taken = new Set(volumes.by("given", namespace).map(({ metadata }) => metadata.name));
    for (const [name, giver] of locking) if (giver === namespace) taken.add(name);
    return taken;
  }

  return {
    async whileLocking({ source, volume, mostPending }, lock) {
      const { namespace = "" } = source.metadata;
      const { name } = must(volume, "a volume").metadata;
      if (takenIn(namespace).size >= mostPending) throw new Overtaken("the last place for a give was taken");
      locking.set(name, namespace);
      try {
        return await lock();
      } finally {
        locking.delete(name);
      }
    },
  };
}
