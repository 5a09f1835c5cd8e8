import type { Readable } from "node:stream";
import type { KubeObject, Stored } from "../../api/object.ts";

export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: Stored<KubeObject> }
  | { readonly type: "BOOKMARK"; readonly object: KubeObject }
  | {
      readonly type: "ERROR";
      readonly object: { readonly code?: number; readonly reason?: string; readonly message?: string };
    };

export interface Following {
  /** The stream is given up when nothing at all was heard for this long; the server sends a bookmark about once a minute. */
  readonly silentMilliseconds: number;
  readonly signal: AbortSignal;
}

/** A line that is no event. What follows it cannot be trusted, and nothing may be skipped: the stream is given up. */
export class GarbledStream extends Error {
  override readonly name = "GarbledStream";
}

export class SilentStream extends Error {
  override readonly name = "SilentStream";
}

const newline = 10;
const types: ReadonlySet<string> = new Set(["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]);

/** Hands over every event of a watch in order; ends when the server ends it, throws when it can no longer be believed. */
export async function follow(
  body: Readable,
  onEvent: (event: WatchEvent) => void,
  { silentMilliseconds, signal }: Following,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let over = false;
  const fail = (problem: Error) => {
    over = true;
    reject(problem);
    body.destroy();
  };
  const silence = setTimeout(
    () => fail(new SilentStream(`nothing was heard for ${silentMilliseconds / 1000} s`)),
    silentMilliseconds,
  );
  const abort = () => fail(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  const lines = lineSplitter((line) => onEvent(eventIn(line)));
  body.on("data", (chunk: Buffer) => {
    // Node hands over what it has buffered even after a stream was destroyed; an event after a bad one must not count.
    if (over) return;
    silence.refresh();
    try {
      lines(chunk);
    } catch (problem) {
      fail(problem as Error);
    }
  });
  body.resume();
  body.on("end", resolve);
  body.on("error", reject);
  body.on("close", () => reject(new Error("the watch was cut off")));
  try {
    await promise;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", abort);
  }
}

/** An unfinished last line is dropped with its stream; the next watch begins before it. */
function lineSplitter(onLine: (line: string) => void): (chunk: Buffer) => void {
  let begun: Buffer[] = [];
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const last = chunk.subarray(from, end);
      from = end + 1;
      const line = begun.length === 0 ? last : Buffer.concat([...begun, last]);
      begun = [];
      if (line.length > 0) onLine(line.toString("utf8"));
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  };
}

function eventIn(line: string): WatchEvent {
  let event: WatchEvent | null;
  try {
    event = JSON.parse(line) as WatchEvent | null;
  } catch {
    throw new GarbledStream(`a line of the watch is not JSON: ${line.slice(0, 80)}`);
  }
  if (event === null || !types.has(event.type) || typeof event.object !== "object" || event.object === null) {
    throw new GarbledStream(`a line of the watch is no event: ${line.slice(0, 80)}`);
  }
  return event;
}
