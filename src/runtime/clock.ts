import { setTimeout as pause } from "node:timers/promises";
import { defined } from "../api/defined.ts";

/** Time is asked for, never assumed: tests bring their own. */
export interface Clock {
  /** Milliseconds that only ever go forward, whatever happens to the date. Compare these, never dates. */
  now(): number;
  /** The date as people write it down. It may jump. */
  wall(): Date;
}

/** A clock that can also wait. */
export interface WaitingClock extends Clock {
  /** Rejects with the signal's reason when that comes first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: WaitingClock = {
  now: () => performance.now(),
  wall: () => new Date(),
  async sleep(milliseconds, signal) {
    try {
      await pause(milliseconds, undefined, defined({ signal }));
    } catch (problem) {
      throw signal?.aborted === true ? (signal.reason as Error) : problem;
    }
  },
};
