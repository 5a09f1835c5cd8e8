import type { Fault } from "../proxy/faults.ts";
import type { Site } from "../proxy/plans.ts";
import type { WriteRecord } from "../proxy/write-record.ts";
import type { Stage } from "./flow.ts";

/** Something that goes wrong, at a place that must be reached or the case has proved nothing. */
export interface Case {
  /** What happens, and where; no two cases of a flow say the same, so that one can be asked for by it. */
  readonly says: string;
  /** The server refuses, by the plan: people may be told, so what is written in the end may be more. */
  readonly refuses?: true;
  /** On the way people may be told more than usual: that it is refused, or that something is not seen yet. */
  readonly tells?: true;
  /** People do something else on the way: the end is the same, and what is made and deleted until then is not. */
  readonly strays?: true;
  /** The process may end by itself, and is started again. */
  readonly endsIt?: true;
  /** How many stored writes more than usual are no waste: what was stored unheard is sent again, what is seen late is undone. */
  readonly explains?: number;
  arm(stage: Stage): ArmedCase;
}

export interface ArmedCase {
  readonly fired: () => boolean;
  /** What else must be true of such a case, when it is over: one sentence for each thing that is not. */
  readonly judge?: () => Promise<readonly string[]>;
  /** Leaves the stage as it was found, whether it fired or not. */
  readonly disarm: () => void;
}

/** The object without a namespace, or the namespace, that a write is about. */
export function placeOf({ namespace, name = "" }: WriteRecord): string {
  return namespace ?? name;
}

/** The n-th write of this run. */
export function siteOf(n: number, { past }: Stage): Site {
  return { n, where: (write) => !past.has(placeOf(write)) };
}

/** Stored, and the client does not know it: the identical write may follow. */
const unheard: ReadonlySet<Fault["kind"]> = new Set([
  "kill-after",
  "lose-reply",
  "applied-then-500",
  "applied-then-timeout",
]);

function explainedBy({ kind }: Fault): number {
  return unheard.has(kind) ? 1 : 0;
}

/** One fault at the n-th write. */
export function atWrite(n: number, fault: Fault): Case {
  const code = fault.kind === "answer" ? ` ${fault.code}` : "";
  const isRefusal = fault.kind === "answer" && (fault.code === 403 || fault.code === 422);
  return {
    says: `${fault.kind}${code} at write ${n}`,
    explains: explainedBy(fault),
    ...(isRefusal ? { refuses: true, tells: true } : {}),
    arm: (stage) => stage.proxy.arm({ site: siteOf(n, stage), fault, kill: () => stage.subject.killed() }),
  };
}

/** Something that happens beside the n-th write, which itself passes. Whatever it answers undoes it. */
export function besideWrite(n: number, one: Omit<Case, "arm">, happen: (stage: Stage) => (() => void) | void): Case {
  return {
    ...one,
    arm(stage) {
      let undo: (() => void) | void;
      const armed = stage.proxy.arm({ site: siteOf(n, stage), fault: { kind: "slow", milliseconds: 0 } });
      void armed.whenFired.then(() => void (undo = happen(stage)));
      return {
        fired: () => armed.fired(),
        disarm() {
          armed.disarm();
          undo?.();
        },
      };
    },
  };
}

export function countTo(count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index + 1);
}
