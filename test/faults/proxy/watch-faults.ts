import { type Copies, copies } from "./copies.ts";
import { type Once, type Pending, pendingFor, takeFor } from "./once.ts";
import type { Treatment, WatchGate } from "./watch-gate.ts";

/** What can happen to watches and lists. A resource is named by its plural; without one all are meant. */
export interface WatchFaults {
  /**
   * Keeps events back, in order, from watches that are open and from new ones. The first list of a streamed watch passes:
   * a server that lags behind still answers with a list that is whole.
   */
  holdWatches(resource?: string): void;
  /** Without a resource everything is let go. */
  releaseWatches(resource?: string): void;
  /** How many events are kept back now. */
  heldEvents(resource?: string): number;
  /** Every event comes this much later; 0 ends that. */
  delayWatches(milliseconds: number, resource?: string): void;
  /** Resets the streams; answers how many. */
  cutWatches(resource?: string): number;
  /** Sends a 410 inside the 200 and ends the streams, as the server does; answers how many. */
  gone(resource?: string): number;
  /** Breaks the next event off in the middle of its line. */
  garble(resource?: string): Once;
  /** The next list is the one before it once more, if there was one. */
  staleList(resource: string): Once;
  /** How many watches are open. */
  watching(resource?: string): number;
}

export interface WatchedStreams {
  readonly copies: Copies;
  treatmentOf(resource: string): Treatment;
  add(resource: string, gate: WatchGate): () => void;
}

const expired = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: "too old resource version: 1 (2)",
  reason: "Expired",
  code: 410,
};

const any = "";

export function watchFaults(): WatchFaults & WatchedStreams {
  const open = new Map<WatchGate, string>();
  const held = new Set<string>();
  const delays = new Map<string, number>();
  const garbling = new Set<Pending>();
  const lists = copies();

  const of = (resource?: string) =>
    [...open].flatMap(([gate, its]) => (resource === undefined || its === resource ? [gate] : []));
  const flowAll = () => {
    for (const gate of open.keys()) gate.flow();
  };
  const each = (gates: readonly WatchGate[], act: (gate: WatchGate) => void): number => {
    for (const gate of gates) act(gate);
    return gates.length;
  };

  return {
    copies: lists,
    holdWatches: (resource = any) => void held.add(resource),
    releaseWatches(resource) {
      if (resource === undefined) held.clear();
      else held.delete(resource);
      flowAll();
    },
    heldEvents: (resource) => of(resource).reduce((sum, gate) => sum + gate.size(), 0),
    delayWatches: (milliseconds, resource = any) => void delays.set(resource, milliseconds),
    cutWatches: (resource) => each(of(resource), (gate) => gate.cut()),
    gone: (resource) =>
      each(of(resource), (gate) => gate.endWith(`${JSON.stringify({ type: "ERROR", object: expired })}\n`)),
    garble(resource) {
      const wish = pendingFor(resource);
      garbling.add(wish);
      return wish;
    },
    staleList: (resource) => lists.goStale(resource),
    watching: (resource) => of(resource).length,
    treatmentOf: (resource) => ({
      isHeld: () => held.has(any) || held.has(resource),
      delayMilliseconds: () => delays.get(resource) ?? delays.get(any) ?? 0,
      garbles() {
        const wish = takeFor(garbling, resource);
        wish?.fire();
        return wish !== undefined;
      },
    }),
    add(resource, gate) {
      open.set(gate, resource);
      return () => void open.delete(gate);
    },
  };
}
