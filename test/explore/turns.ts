import type { Client } from "../../src/kube/client.ts";
import { handOf } from "../../src/runtime/hand.ts";
import type { Log } from "../../src/runtime/log.ts";
import type { Reconciler } from "../../src/runtime/reconciler.ts";
import type { Sources } from "../../src/runtime/sources.ts";
import type { Decision, Table } from "../../src/runtime/table.ts";
import { type Memory, type Outcome, takeTurn } from "../../src/runtime/turn.ts";

/** A reconciler as the explorer runs it: whatever it sees and whatever its steps are called. */
export interface Controlled {
  readonly name: string;
  /** Every row it can ever decide by. */
  readonly rows: readonly string[];
  readonly keys: readonly string[];
  /** One look and at most one act, by the loop of the product. */
  turn(key: string, memory: Memory, options: TurnOptions): Promise<Turned>;
}

export interface TurnOptions {
  readonly client: Client;
  readonly sources: Sources;
  readonly holdsLease: () => boolean;
  readonly seconds: number;
}

export interface Turned {
  /** Of the look that was acted upon; undefined when nothing was there to look at. */
  readonly decision: Decision<string> | undefined;
  /** Undefined when the turn was ended by the explorer or by a problem. */
  readonly outcome?: Outcome;
  readonly problem?: unknown;
}

/** The explorer lets others act now. */
export class Paused extends Error {
  override readonly name = "Paused";
}

const silent: Log = {
  info: () => undefined,
  debug: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
};

/** Exploration never waits, so no step is ever late. */
const never = new AbortController().signal;

export function controlled<Seen, Step extends string>(
  reconciler: Reconciler<Seen, Step>,
  { keys, tables }: { readonly keys: readonly string[]; readonly tables: readonly Table<Seen, Step>[] },
): Controlled {
  return {
    name: reconciler.name,
    keys,
    rows: tables.flatMap((table) => table.map(([says]) => says)),
    async turn(key, memory, { client, sources, holdsLease, seconds }) {
      let decision: Decision<Step> | undefined;
      const watched: Reconciler<Seen, Step> = {
        ...reconciler,
        async observe(place, look) {
          // The second look is the next move, and others may move before it.
          if (decision !== undefined) throw new Paused();
          return await reconciler.observe(place, look);
        },
        decide: (seen) => (decision = reconciler.decide(seen)),
      };
      const clock = { now: () => seconds * 1000, wall: () => new Date(Date.UTC(2026, 0, 1) + seconds * 1000) };
      const hand = () => handOf({ client, sources, holdsLease, signal: never, tell: () => undefined });
      try {
        const turn = { reconciler: watched, clock, log: silent, hand, onStep: () => undefined, mayGoOn: () => true };
        return { outcome: await takeTurn(key, memory, turn), decision };
      } catch (problem) {
        return problem instanceof Paused ? { decision } : { decision, problem };
      }
    },
  };
}
