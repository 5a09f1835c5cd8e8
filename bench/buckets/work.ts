/** How much is measured. */
export interface Work {
  /** Buckets one after another. */
  readonly idle: number;
  /** Buckets that are asked for with so many in flight, held, and then deleted in the same way. */
  readonly burst: number;
  readonly inFlight: number;
}

export const fullWork: Work = { idle: 100, burst: 500, inFlight: 25 };
/** To see that it works. */
export const shortWork: Work = { idle: 10, burst: 50, inFlight: 25 };
