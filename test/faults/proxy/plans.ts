import type { Fault } from "./faults.ts";
import type { WriteRecord } from "./write-record.ts";

export type Kill = () => void | Promise<void>;

/** Where it happens: at the first write that is meant, or at the n-th one since the plan was armed. */
export type Site =
  | ((write: WriteRecord) => boolean)
  | { readonly n: number; readonly where?: (write: WriteRecord) => boolean };

export interface Plan {
  readonly site: Site;
  readonly fault: Fault;
  /** Ends the client and resolves when it is dead; needed by the faults that kill. */
  readonly kill?: Kill;
  /** Resolves when a write that comes late is to arrive; needed by those faults. */
  readonly until?: () => Promise<unknown>;
  /** At how many writes it happens, from the site on; 1 unless told otherwise. */
  readonly times?: number;
  /** Leases and Events count too. */
  readonly upkeep?: boolean;
}

/** A plan in force. One that never fires has proved nothing: whoever arms it asks. */
export interface Armed {
  fired(): boolean;
  /** Resolves with the first write it met, when the fault is carried out: the client is dead, or the reply is lost. */
  readonly whenFired: Promise<WriteRecord>;
  /** Every write it met. */
  hits(): readonly WriteRecord[];
  disarm(): void;
}

/** What is to be done to a write that met a plan. */
export interface Struck {
  readonly fault: Fault;
  readonly kill: Kill;
  readonly until: () => Promise<unknown>;
  readonly carriedOut: () => void;
}

export interface Plans {
  readonly arm: (plan: Plan) => Armed;
  /** The fault for this write, if any. Called once a write, in the order of arrival: it counts. */
  strike(write: WriteRecord): Struck | undefined;
}

export function plans(): Plans {
  const inForce = new Set<(write: WriteRecord, isTaken: boolean) => Struck | undefined>();
  return {
    arm(plan) {
      const { site, fault, kill, until, times = 1, upkeep = false } = plan;
      if (/^kill|-kill$/.test(fault.kind) && kill === undefined)
        throw new Error(`a plan with ${fault.kind} needs a kill()`);
      if (fault.kind.startsWith("late") && until === undefined)
        throw new Error(`a plan with ${fault.kind} needs an until()`);
      const { promise: whenFired, resolve } = Promise.withResolvers<WriteRecord>();
      const hits: WriteRecord[] = [];
      const isSite = counted(site);
      const meet = (write: WriteRecord, isTaken: boolean): Struck | undefined => {
        if ((write.upkeep && !upkeep) || !isSite(write) || isTaken) return undefined;
        hits.push(write);
        if (hits.length >= times) inForce.delete(meet);
        return {
          fault,
          kill: kill ?? (() => undefined),
          until: until ?? (async () => undefined),
          carriedOut: () => resolve(write),
        };
      };
      inForce.add(meet);
      return {
        fired: () => hits.length > 0,
        whenFired,
        hits: () => [...hits],
        disarm: () => void inForce.delete(meet),
      };
    },
    strike(write) {
      let struck: Struck | undefined;
      // Every plan counts every write; the one that was armed first has it.
      for (const meet of inForce) struck = meet(write, struck !== undefined) ?? struck;
      return struck;
    },
  };
}

function counted(site: Site): (write: WriteRecord) => boolean {
  if (typeof site === "function") return site;
  const { n, where = () => true } = site;
  let seen = 0;
  return (write) => where(write) && ++seen >= n;
}
