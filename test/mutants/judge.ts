import type { Mutant } from "./mutant.ts";
import type { Scratch } from "./scratch.ts";
import { type Trial, type TrialOptions, trial } from "./trial.ts";

/** What is known of a mutant in the end; only "caught" is good. */
export type Fate =
  | "caught"
  | "survived"
  | "does not apply"
  | "its test did not run"
  | "its test fails without it"
  | "its test fails for another reason";

export interface Verdict {
  readonly mutant: Mutant;
  readonly fate: Fate;
  /** The test that noticed it, or why nothing did. */
  readonly by: string;
  readonly seconds: number;
}

export interface JudgeOptions extends TrialOptions {
  readonly scratch: Scratch;
  /** Between two mutants on one control plane: what the first has left there is not the second's doing. */
  readonly cleanUp: () => Promise<void>;
  readonly onVerdict: (verdict: Verdict) => void;
}

/** Every mutant, one after another, after all their tests have passed on sound sources. */
export async function judge(mutants: readonly Mutant[], options: JudgeOptions): Promise<readonly Verdict[]> {
  const sound = await soundTests(mutants, options);
  const verdicts: Verdict[] = [];
  for (const mutant of mutants) {
    options.stop.throwIfAborted();
    const trouble = sound.get(testOf(mutant));
    const verdict = trouble ?? (await judgeOne(mutant, options));
    verdicts.push({ mutant, ...verdict });
    options.onVerdict({ mutant, ...verdict });
  }
  return verdicts;
}

type Finding = Omit<Verdict, "mutant">;

/** By test: what is wrong with it already, or undefined when it passes. */
async function soundTests(
  mutants: readonly Mutant[],
  options: JudgeOptions,
): Promise<ReadonlyMap<string, Finding | undefined>> {
  const findings = new Map<string, Finding | undefined>();
  for (const mutant of mutants) {
    if (findings.has(testOf(mutant))) continue;
    options.stop.throwIfAborted();
    const { passed, failed, seconds, words } = await trialOf(mutant, options);
    const passes = passed.length > 0 && failed.length === 0;
    const by = [...failed.map(({ why }) => why), words].join("\n");
    findings.set(testOf(mutant), passes ? undefined : { fate: "its test fails without it", by, seconds });
  }
  return findings;
}

const testOf = ({ test, fails }: Mutant) => `${test} ${fails.source}`;

async function judgeOne(mutant: Mutant, options: JudgeOptions): Promise<Finding> {
  const found = await options.scratch.broken(mutant, () => trialOf(mutant, options));
  if ("unfit" in found) return { fate: "does not apply", by: found.unfit, seconds: 0 };
  return { ...fateOf(mutant, found), seconds: found.seconds };
}

function fateOf({ because }: Mutant, { passed, failed, words }: Trial): Omit<Finding, "seconds"> {
  // A patch that only keeps the file from being loaded proves nothing.
  if (passed.length + failed.length === 0) return { fate: "its test did not run", by: words };
  if (failed.length === 0) return { fate: "survived", by: passed.map(({ name }) => name).join() };
  const rightly = failed.find(({ why = "" }) => because.test(why));
  if (rightly !== undefined) return { fate: "caught", by: rightly.name };
  return { fate: "its test fails for another reason", by: failed.map(({ why }) => why).join("\n") };
}

async function trialOf(mutant: Mutant, options: JudgeOptions): Promise<Trial> {
  const { lane, ...rest } = options;
  try {
    return await trial(mutant, options.scratch, { ...rest, lane: mutant.needsCluster ? lane : undefined });
  } finally {
    if (mutant.needsCluster) await options.cleanUp();
  }
}
