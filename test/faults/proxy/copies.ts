import type { OutgoingHttpHeaders } from "node:http2";
import { type Once, type Pending, pendingFor } from "./once.ts";
import type { ReadRecord } from "./reads.ts";

/** A list as it was answered once: whole, or as the events of a watch up to the bookmark that ends it. */
export interface Copy {
  readonly fields: OutgoingHttpHeaders;
  readonly parts: readonly Buffer[];
  /** Where the watch after it goes on. */
  readonly version: string;
}

/** What each list was the last time, so that it can be served again when it is old. */
export interface Copies {
  remember(read: ReadRecord, copy: Copy): void;
  /** The next list of this resource of which there is a copy is answered with it. */
  goStale(resource: string): Once;
  /** The copy to serve, if a stale one is wished for and there is one. */
  staleFor(read: ReadRecord): Copy | undefined;
}

export function copies(): Copies {
  const kept = new Map<string, Copy>();
  const wished = new Set<Pending>();
  return {
    remember: (read, copy) => void kept.set(keyOf(read), copy),
    goStale(resource) {
      const wish = pendingFor(resource);
      wished.add(wish);
      return wish;
    },
    staleFor(read) {
      const copy = kept.get(keyOf(read));
      const wish = [...wished].find(({ resource }) => resource === read.resource);
      if (copy === undefined || wish === undefined) return undefined;
      wished.delete(wish);
      wish.fire();
      return copy;
    },
  };
}

/** How long a watch is to last is another random number each time, and no part of what is asked for. */
function keyOf({ group, resource, namespace, verb, query }: ReadRecord): string {
  const { labelSelector, fieldSelector, limit, continue: page } = query;
  return JSON.stringify([verb, group, resource, namespace, labelSelector, fieldSelector, limit, page]);
}
