import type { FaultProxy } from "../proxy/fault-proxy.ts";
import { besideWrite, type Case, countTo } from "./case.ts";
import { staleListAfterKill } from "./stale-list.ts";

const lagMilliseconds = 600;

/** Everything that can happen to what we see, beside every write. That something is not seen yet may be told to people. */
export function watchCases(sites: number, resources: readonly string[]): readonly Case[] {
  const all = [
    ...resources.map(delayed),
    ...resources.map(garbled),
    ...countTo(sites).flatMap((n) => [
      ...resources.map((resource) => held(n, resource)),
      besideWrite(n, { says: `every watch is cut at write ${n}` }, ({ proxy }) => void proxy.cutWatches()),
      besideWrite(n, { says: `every watch is too old at write ${n}` }, ({ proxy }) => void proxy.gone()),
      besideWrite(n, { says: `the server says goodbye at write ${n}` }, ({ proxy }) => proxy.goaway()),
      // What is under way then may be stored or not.
      besideWrite(n, { says: `every connection is cut at write ${n}`, explains: 1 }, ({ proxy }) => proxy.cut()),
      ...resources.map((resource) => staleListAfterKill(n, resource)),
    ]),
  ];
  return all.map((one): Case => ({ ...one, tells: true }));
}

/** One kind is seen late all the time. */
function delayed(resource: string): Case {
  return {
    says: `every event of ${resource} comes late`,
    arm({ proxy }) {
      proxy.delayWatches(lagMilliseconds, resource);
      return { fired: () => proxy.watching(resource) > 0, disarm: () => proxy.delayWatches(0, resource) };
    },
  };
}

/** One event arrives in half: what it said must come by another way. */
function garbled(resource: string): Case {
  return {
    says: `an event of ${resource} is broken off`,
    arm({ proxy }) {
      const armed = proxy.garble(resource);
      return { fired: () => armed.fired(), disarm: () => undefined };
    },
  };
}

/** From this write on, one kind is seen late: the decision is made on an old picture. */
function held(n: number, resource: string): Case {
  const says = `the watch of ${resource} stands still from write ${n} on`;
  return besideWrite(n, { says }, ({ proxy }) => heldFor(proxy, resource));
}

function heldFor(proxy: FaultProxy, resource: string): () => void {
  proxy.holdWatches(resource);
  const release = () => proxy.releaseWatches(resource);
  const timer = setTimeout(release, lagMilliseconds);
  return () => {
    clearTimeout(timer);
    release();
  };
}
