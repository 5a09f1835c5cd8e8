/**
 * What went wrong, named by what happens next. It is assigned in one table per border (`kube/errors.ts`, `rpc/errors.ts`)
 * and acted upon in one place, the loop.
 */
export type Trouble =
  /** The world has moved on: look again now, silently. */
  | "conflict"
  /** It did not happen and may work later: back off. */
  | "transient"
  /** It may have happened: look again, or repeat the identical call; never give up, never rename. */
  | "in-doubt"
  /** It will not work until something changes: tell the user, wait for a change. */
  | "refused"
  /** Our own mistake: say so loudly, retry slowly. */
  | "bug";

/** An error that knows what happens next. Both borders throw such; anything else that is thrown is a bug. */
export interface Troubled extends Error {
  readonly trouble: Trouble;
  readonly retryAfterSeconds?: number | undefined;
}

export function isTroubled(problem: unknown): problem is Troubled {
  return problem instanceof Error && "trouble" in problem;
}

export function troubleOf(problem: unknown): Trouble {
  return isTroubled(problem) ? problem.trouble : "bug";
}
