import type { Case, Tier } from "./cases.ts";
import type { Flow, Ground } from "./flow.ts";
import { referenceRun, runCase } from "./run-case.ts";
import { stageFor } from "./stage.ts";

/** What became of one flow: a row of the table that `make faults` prints. */
export interface Swept {
  readonly flow: string;
  readonly sites: number;
  readonly cases: number;
  /** One sentence each, with the case it happened in. */
  readonly violations: readonly string[];
  readonly seconds: number;
}

export interface SweepOptions {
  readonly cases: Tier;
  readonly onCase?: (says: string, violations: readonly string[]) => void;
}

/** A sweep that several clusters may share: whoever is free takes the next case. */
export interface SharedSweep {
  readonly flow: string;
  readonly planned: readonly Case[];
  /** Runs the flow once without faults, and then once for everything that can go wrong on its way and is not taken yet. */
  on(cluster: Ground, stop?: AbortSignal): Promise<void>;
  swept(): Swept;
}

export function sharedSweep<World>(flow: Flow<World>, { cases, onCase }: SweepOptions): SharedSweep {
  const planned = cases(flow.budget, flow.sees ?? flow.watched.map(({ resource }) => resource.plural));
  const waiting = [...planned];
  const violations: string[] = [];
  let [done, began, ended, isFirst] = [0, Number.POSITIVE_INFINITY, 0, true];

  async function work(cluster: Ground, stop?: AbortSignal): Promise<void> {
    const rests = isFirst;
    isFirst = false;
    await using stage = await stageFor(flow, cluster);
    const reference = await referenceRun(flow, stage, { rests });
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      stop?.throwIfAborted();
      const found = await runCase(flow, stage, one, reference);
      done++;
      const { says } = one;
      const told = found.map((why) => `${flow.name}, ${says}: ${why}`);
      onCase?.(says, told);
      violations.push(...told);
    }
  }

  return {
    flow: flow.name,
    planned,
    async on(cluster, stop) {
      began = Math.min(began, performance.now());
      try {
        if (waiting.length > 0) await work(cluster, stop);
      } catch (problem) {
        stop?.throwIfAborted();
        violations.push(`${flow.name}: ${inWords(problem)}`);
      } finally {
        ended = Math.max(ended, performance.now());
      }
    },
    swept: () => ({
      flow: flow.name,
      sites: flow.budget,
      cases: done,
      violations: [
        ...violations,
        ...(waiting.length === 0 ? [] : [`${flow.name}: ${waiting.length} cases were never run`]),
      ],
      seconds: Math.max(0, ended - began) / 1000,
    }),
  };
}

export async function sweep<World>(
  flow: Flow<World>,
  { cluster, ...options }: SweepOptions & { readonly cluster: Ground },
): Promise<Swept> {
  const shared = sharedSweep(flow, options);
  await shared.on(cluster);
  return shared.swept();
}

/** What went wrong, and what went wrong again while it was cleared away. */
function inWords(problem: unknown): string {
  if (problem instanceof SuppressedError) return `${inWords(problem.suppressed)}; and then: ${inWords(problem.error)}`;
  return problem instanceof Error ? problem.message : String(problem);
}
