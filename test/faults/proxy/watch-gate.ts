import type { ServerHttp2Stream } from "node:http2";
import { drop } from "./relay.ts";

/** What is done to the events of a watch on their way; asked anew for every event. */
export interface Treatment {
  isHeld(): boolean;
  delayMilliseconds(): number;
  /** Whether this line is to be garbled; it is asked once a line. */
  garbles(): boolean;
}

/** The lines of one watch, on their way to the client, in order whatever is done to them. */
export interface WatchGate {
  /** How many lines wait here. */
  size(): number;
  add(line: Buffer, options?: { readonly isFirstList?: boolean }): void;
  /** The server has ended it; what is still here goes first. */
  end(how: "whole" | number): void;
  /** Tries again: something about the treatment has changed. */
  flow(): void;
  /** This line is the last, at once; what is still here is forgotten. */
  endWith(line: string): void;
  cut(): void;
}

interface Waiting {
  readonly line: Buffer;
  readonly due: number;
  /** The first list is never held: a server that lags behind still answers with a list that is whole. */
  readonly isFirstList: boolean;
}

export function watchGate(
  down: ServerHttp2Stream,
  treatment: Treatment,
  throttle: (isFull: boolean) => void,
): WatchGate {
  let waiting: Waiting[] = [];
  let ending: "whole" | number | undefined;
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;
  down.on("drain", () => {
    isFull = false;
    flow();
  });
  down.on("close", () => {
    clearTimeout(timer);
    waiting = [];
  });

  function mayPass({ due, isFirstList }: Waiting): boolean {
    if (isFull) return false;
    if (isFirstList) return true;
    if (treatment.isHeld()) return false;
    const left = due - performance.now();
    if (left <= 0) return true;
    clearTimeout(timer);
    timer = setTimeout(flow, left);
    return false;
  }

  function flow(): void {
    if (down.closed || down.destroyed) return;
    down.cork();
    let passed = 0;
    for (const next of waiting) {
      if (!mayPass(next)) break;
      passed++;
      isFull = !down.write(treatment.garbles() ? half(next.line) : next.line) || isFull;
    }
    waiting.splice(0, passed);
    down.uncork();
    if (waiting.length > 0 || ending === undefined) throttle(isFull && !treatment.isHeld());
    else if (ending === "whole") down.end();
    else drop(down, ending);
  }

  return {
    flow,
    size: () => waiting.length,
    add(line, { isFirstList = false } = {}) {
      waiting.push({ line, isFirstList, due: performance.now() + treatment.delayMilliseconds() });
    },
    end(how) {
      ending = how;
      flow();
    },
    endWith(line) {
      waiting = [];
      if (!down.closed && !down.destroyed) down.end(line);
    },
    cut() {
      waiting = [];
      drop(down);
    },
  };
}

/** As if the other half had never been sent, and the next event came right after. */
function half(line: Buffer): Buffer {
  return Buffer.concat([line.subarray(0, line.length >> 1), Buffer.from("\n")]);
}
