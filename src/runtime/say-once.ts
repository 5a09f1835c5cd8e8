import { isTroubled } from "../api/trouble.ts";
import type { Log } from "./log.ts";

const mostRemembered = 2000;

/** Says a trouble when it is new. Said again at every retry it would hide everything else in the log. */
export function sayOnce(
  log: Log,
  { againAfterMinutes = 10, now = () => performance.now() } = {},
): (message: string, problem: unknown, kind?: string) => void {
  const said = new Map<string, number>();
  return (message, problem, kind) => {
    const words = `${message}: ${problem instanceof Error ? problem.message : String(problem)}`;
    // The same trouble may have other words each time: what was asked for stands in them.
    const same = kind === undefined ? words : `${message}: ${kind}`;
    const before = said.get(same);
    if (before !== undefined && now() - before < againAfterMinutes * 60_000) {
      log.debug(4, message, { err: words });
      return;
    }
    said.delete(same);
    said.set(same, now());
    if (said.size > mostRemembered) said.delete(said.keys().next().value ?? "");
    if (isTroubled(problem) && problem.trouble !== "bug") log.warn(words);
    else log.error(message, problem);
  };
}
