import type { Fault } from "../proxy/faults.ts";
import { type Case, countTo, placeOf, siteOf } from "./case.ts";
import type { Stage } from "./flow.ts";

type Late = Extract<Fault, { readonly kind: `late-${string}` }>["kind"];
type Moment = keyof typeof moments;

/** Nothing more is to come, or whoever gave it up has nothing to send in its place. */
const longestMilliseconds = 5000;
const quietMilliseconds = 1500;
const pollMilliseconds = 10;

/** What the process has done since it gave the write up. */
interface Since {
  readonly answered: number;
  readonly lastAt: number | undefined;
}

const moments = {
  "arriving after its next write": ({ answered }: Since) => answered > 0,
  "arriving when all is quiet": ({ lastAt }: Since) =>
    lastAt !== undefined && performance.now() - lastAt > quietMilliseconds,
} as const satisfies Readonly<Record<string, (since: Since) => boolean>>;

/** Sent, given up, and stored after all: nothing tells the process whether and when a write of its own arrives. */
export function lateCases(sites: number): readonly Case[] {
  const kinds: readonly Late[] = ["late-after-kill", "late-after-timeout"];
  return countTo(sites).flatMap((n) =>
    kinds.flatMap((kind) => (Object.keys(moments) as readonly Moment[]).map((moment) => lateAt(n, kind, moment))),
  );
}

function lateAt(n: number, kind: Late, moment: Moment): Case {
  return {
    says: `${kind} at write ${n}, ${moment}`,
    // It comes a second time, and whoever is in doubt may make sure first.
    explains: 3,
    tells: true,
    arm(stage) {
      const over = new AbortController();
      let hasArrived = false;
      const armed = stage.proxy.arm({
        site: siteOf(n, stage),
        fault: { kind },
        kill: () => stage.subject.killed(),
        until: () => untilDue(stage, moments[moment], over.signal),
      });
      void armed.whenFired.then(() => void (hasArrived = true));
      return {
        fired: () => hasArrived,
        disarm() {
          armed.disarm();
          over.abort();
        },
      };
    },
  };
}

/** Counted from the moment in which it is given up. */
async function untilDue({ proxy, past }: Stage, isDue: (since: Since) => boolean, over: AbortSignal): Promise<void> {
  const [mark, start] = [proxy.mark(), performance.now()];
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    const writes = proxy.since(mark).filter((write) => !write.upkeep && !past.has(placeOf(write)));
    const answered = writes.filter(({ code }) => code !== undefined).length;
    const isLost = writes.length === 0 && performance.now() - start > longestMilliseconds;
    if (over.aborted || isLost || isDue({ answered, lastAt: writes.at(-1)?.at })) resolve();
  }, pollMilliseconds);
  await promise;
  clearInterval(timer);
}
