import { troubleOf } from "../api/trouble.ts";
import type { Clock } from "./clock.ts";
import type { Hand } from "./hand.ts";
import type { Log } from "./log.ts";
import type { Reconciler } from "./reconciler.ts";
import { isNews, writeReport } from "./report.ts";
import type { Decision, Plan } from "./table.ts";

/** What comes of a turn: gone, enough for now, or looked at again after so many milliseconds or at the next change. */
export type Outcome =
  | { readonly is: "gone" }
  | { readonly is: "tired" }
  | { readonly is: "still"; readonly plan: Plan<string>; readonly againMilliseconds?: number };

export interface TurnOptions<Seen, Step extends string> {
  readonly reconciler: Reconciler<Seen, Step>;
  readonly clock: Clock;
  readonly log: Log;
  readonly hand: () => Hand;
  readonly onStep: (step: Step, seconds: number) => void;
  /** False when the process ends: the step that was begun is finished, and the next one is left to whoever comes after. */
  readonly mayGoOn: () => boolean;
}

/** What is remembered of a key between turns. Losing it, in a restart, costs a repeated call and nothing else. */
export interface Memory {
  reply: unknown;
  waiting: { readonly row: string; readonly since: number } | undefined;
  /** The last words that no status shows: looking again says nothing again. */
  said?: string | undefined;
}

/** After so many steps in a row others get their turn. */
const mostSteps = 20;

/** Observe, decide, take at most one step, and look again, until there is nothing to do but wait, refuse or rest. */
export async function takeTurn<Seen, Step extends string>(
  key: string,
  memory: Memory,
  options: TurnOptions<Seen, Step>,
): Promise<Outcome> {
  const { reconciler, clock, mayGoOn } = options;
  for (let steps = 0; steps < mostSteps && mayGoOn(); steps++) {
    const seen = await reconciler.observe(key, { now: clock.wall(), reply: memory.reply });
    if (seen === undefined) return { is: "gone" };
    const decision = reconciler.decide(seen);
    if (decision.plan.do !== "step") return await rest(seen, decision, memory, options);
    memory.waiting = undefined;
    memory.reply = await takeStep(decision.plan.step, seen, memory, options);
    memory.said = undefined;
  }
  return { is: "tired" };
}

async function takeStep<Seen, Step extends string>(
  step: Step,
  seen: Seen,
  memory: Memory,
  options: TurnOptions<Seen, Step>,
): Promise<unknown> {
  const { reconciler, clock, log, hand, onStep } = options;
  const start = clock.now();
  try {
    const reply = await reconciler.act(step, seen, hand());
    const operation = reconciler.operationOf?.(seen);
    log.info("took a step", { step, ...(operation === undefined ? {} : { operation }) });
    return reply;
  } catch (problem) {
    if (troubleOf(problem) === "refused" && problem instanceof Error) {
      // Whoever refuses the step may refuse the word about it too; what counts is the step.
      await tellRefusal({ step, seen, problem }, memory, options).catch((second: unknown) =>
        log.debug(2, "nobody could be told of it", { step, err: String(second) }),
      );
    }
    throw problem;
  } finally {
    onStep(step, (clock.now() - start) / 1000);
  }
}

/** A step that is refused is told like any other refusal, and tried again when something changes, or slowly. */
async function tellRefusal<Seen, Step extends string>(
  { step, seen, problem }: { readonly step: Step; readonly seen: Seen; readonly problem: Error },
  memory: Memory,
  options: TurnOptions<Seen, Step>,
): Promise<void> {
  const plan = options.reconciler.refusal?.(step, seen, problem) ?? {
    do: "refuse" as const,
    why: "RefusedByServer" as const,
    detail: problem.message,
  };
  await tell(seen, { row: `the step "${step}" is refused`, plan }, memory, options);
}

async function rest<Seen, Step extends string>(
  seen: Seen,
  decision: Decision<Step>,
  memory: Memory,
  options: TurnOptions<Seen, Step>,
): Promise<Outcome> {
  const { plan, row } = decision;
  const now = options.clock.now();
  if (memory.waiting?.row !== row) memory.waiting = { row, since: now };
  const quiet = plan.do === "wait" ? (plan.quietSeconds ?? 0) * 1000 - (now - memory.waiting.since) : 0;
  const recheck = ((plan.do === "wait" ? plan.recheckSeconds : undefined) ?? Number.POSITIVE_INFINITY) * 1000;
  // To be quiet is not to sleep: what is to be looked at in a moment is looked at in a moment.
  if (quiet > 0) return { is: "still", plan, againMilliseconds: Math.min(quiet, recheck) };
  await tell(seen, decision, memory, options);
  return { is: "still", plan, ...(Number.isFinite(recheck) ? { againMilliseconds: recheck } : {}) };
}

async function tell<Seen, Step extends string>(
  seen: Seen,
  decision: Decision<Step>,
  memory: Memory,
  { reconciler, hand }: TurnOptions<Seen, Step>,
): Promise<void> {
  const problems: unknown[] = [];
  for (const report of reconciler.report(seen, decision)) {
    if ("says" in report) {
      if (memory.said !== report.says.message) hand().tell({ ...report, ...report.says });
      memory.said = report.says.message;
      continue;
    }
    // One object that cannot be told keeps nobody else from being told.
    if (isNews(report)) await writeReport(report, hand()).catch((problem: unknown) => problems.push(problem));
  }
  if (problems.length > 0) throw problems[0];
}
