import type { GetDriverInfoResponse } from "../../rpc/gen/buckets_pb.js";
import type { Trial } from "./trial.ts";

/** One thing that every driver does right, and the way to find out. */
export interface Check {
  /** For people and for scripts; it stays the same for ever. */
  readonly name: string;
  /** What is right, in a sentence. */
  readonly says: string;
  /** What to do about a driver that fails here, and what goes wrong otherwise. */
  readonly next: string;
  /** Why it cannot be tried on this driver; undefined when it can. */
  readonly untried?: (driver: Tried) => string | undefined;
  /** Throws a Finding when the driver does something else. */
  run(trial: Trial): Promise<void>;
}

export interface Tried {
  readonly info: GetDriverInfoResponse;
  /** Whether keys are tried on the store itself. */
  readonly asksStore: boolean;
}

/** A driver that does something else than it should. Its words hold no secret. */
export class Finding extends Error {
  override readonly name = "Finding";
  readonly expected: string;
  readonly came: string;

  constructor(expected: string, came: string) {
    super(`expected ${expected}, and ${came} came`);
    this.expected = expected;
    this.came = came;
  }
}
