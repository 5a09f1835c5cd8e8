import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Loggable } from "../../src/rpc/redact.ts";

/** A call as the driver saw it, in the order of arrival. */
export interface Call {
  /** Counts all calls from 1, over restarts of the driver. */
  readonly n: number;
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number;
  /** For instance `CreateVolume`. */
  readonly method: string;
  /** The name or id that the call is about; empty when it is about none. */
  readonly of: string;
  /** Without secrets. */
  readonly request: Loggable;
  /** `OK`, a gRPC code, or the fault that took the place of a reply; absent while there is none. */
  readonly reply?: string;
  readonly repliedAt?: number;
}

export type Arriving = Pick<Call, "method" | "of" | "request">;

type Line = (Arriving & Pick<Call, "n" | "at">) | Required<Pick<Call, "n" | "reply" | "repliedAt">>;

/** A line at the arrival of a call, and one when it is replied to. A kill leaves whole lines. */
export interface CallLog {
  arrived(call: Arriving): { readonly n: number; readonly nth: number };
  replied(n: number, reply: string): void;
}

export function callLogIn(path: string): CallLog {
  mkdirSync(dirname(path), { recursive: true });
  const before = callsIn(path);
  let n = before.length;
  const counts = new Map<string, number>();
  for (const { method } of before) counts.set(method, (counts.get(method) ?? 0) + 1);
  const write = (line: Line) => appendFileSync(path, `${JSON.stringify(line)}\n`);
  return {
    arrived(call) {
      n += 1;
      const nth = (counts.get(call.method) ?? 0) + 1;
      counts.set(call.method, nth);
      write({ n, at: Date.now(), ...call });
      return { n, nth };
    },
    replied: (n, reply) => write({ n, reply, repliedAt: Date.now() }),
  };
}

export function callsIn(path: string): readonly Call[] {
  const calls: Call[] = [];
  for (const line of linesIn(path)) {
    if ("reply" in line) {
      const call = calls[line.n - 1];
      if (call !== undefined) calls[line.n - 1] = { ...call, ...line };
    } else calls.push(line);
  }
  return calls;
}

function linesIn(path: string): readonly Line[] {
  try {
    const whole = readFileSync(path, "utf8").split("\n").slice(0, -1);
    return whole.map((line) => JSON.parse(line) as Line);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw problem;
  }
}
