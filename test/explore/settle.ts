import type { Server } from "./model/server.ts";
import type { Transition } from "./model/transition.ts";

const mostMoves = 100;

/** The server when its residents have nothing to do any more, in the order in which they are listed. */
export function settled(server: Server, transitions: readonly Transition[]): Server {
  let now = server;
  for (let moves = 0; moves < mostMoves; moves++) {
    const next = transitions
      .values()
      .flatMap((one) => one.from(now))
      .next();
    if (next.done === true) return now;
    now = next.value;
  }
  throw new Error(`after ${mostMoves} moves there is still something to do`);
}
