import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** Less than this is the ordinary work of whoever keeps the date right. */
const leastSeconds = 5;

/**
 * The same clock, and a word in the log when the date has jumped. The loop and the Lease wait by the other one, so they
 * go on; but times that were written down are no longer in order, and whoever reads them should know why.
 */
export function noticingJumps<C extends Clock>(clock: C, log: Log): C {
  const driftNow = (wall: Date) => wall.getTime() - clock.now();
  let drift = driftNow(clock.wall());
  return {
    ...clock,
    wall() {
      const wall = clock.wall();
      const seconds = (driftNow(wall) - drift) / 1000;
      if (Math.abs(seconds) >= leastSeconds) {
        drift = driftNow(wall);
        log.warn("the date has jumped", { seconds: Math.round(seconds) });
      }
      return wall;
    },
  };
}
