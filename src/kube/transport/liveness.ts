/** Go's rule: nothing heard for this long, ask; no answer for that long, the peer is dead. */
export interface Liveness {
  readonly pingAfterMilliseconds: number;
  readonly deadAfterMilliseconds: number;
}

export const defaultLiveness: Liveness = { pingAfterMilliseconds: 30_000, deadAfterMilliseconds: 15_000 };
