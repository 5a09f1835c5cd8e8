import { RpcError } from "../../rpc/errors.ts";
import { type Check, Finding } from "./check.ts";
import { cleanUp } from "./clean-up.ts";
import { inWords } from "./expect.ts";
import { type Trial, type TrialOf, trialOf } from "./trial.ts";

export type Result = Pick<Check, "name" | "says"> &
  (
    | { readonly result: "ok" }
    | { readonly result: "untried"; readonly why: string }
    | { readonly result: "failed"; readonly expected: string; readonly came: string; readonly next: string }
  );

const nothingIsLeft = {
  name: "nothing-is-left",
  says: "What the checks have made is gone again.",
  next: "Delete these by hand, and make the driver take back what it gave.",
} as const;

/** Each check by itself, and what it made is given back before the next one. */
export async function runChecks(
  of: TrialOf,
  checks: readonly Check[],
  stop: AbortSignal,
  tell: (result: Result) => void,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left: string[] = [];
  const add = (result: Result) => {
    results.push(result);
    tell(result);
  };
  for (const check of checks) {
    if (stop.aborted) break;
    const why = check.untried?.(of);
    if (why !== undefined) {
      add({ ...titleOf(check), result: "untried", why });
      continue;
    }
    const trial = trialOf(of);
    const result = await resultOf(check, trial);
    left.push(...(await cleanUp(trial)));
    add(result);
  }
  const { next } = nothingIsLeft;
  if (left.length === 0) add({ ...titleOf(nothingIsLeft), result: "ok" });
  else add({ ...titleOf(nothingIsLeft), result: "failed", expected: "nothing", came: left.join("; "), next });
  stop.throwIfAborted();
  return results;
}

async function resultOf(check: Check, trial: Trial): Promise<Result> {
  try {
    await check.run(trial);
    return { ...titleOf(check), result: "ok" };
  } catch (problem) {
    const { next } = check;
    if (problem instanceof Finding)
      return { ...titleOf(check), result: "failed", expected: problem.expected, came: problem.came, next };
    if (problem instanceof RpcError)
      return { ...titleOf(check), result: "failed", expected: "OK", came: inWords(problem), next };
    throw problem;
  }
}

function titleOf({ name, says }: Pick<Check, "name" | "says">) {
  return { name, says };
}
