import type { Reason } from "../../api/reasons.ts";
import { RpcError } from "../../rpc/errors.ts";
import type { CallOptions } from "../../rpc/grpc.ts";
import type { Hand } from "../../runtime/hand.ts";
import { UnfitAnswer } from "./answers.ts";
import { driversWords } from "./drivers-words.ts";
import type { Step } from "./rules.ts";
import { circumstancesOf, type Failed, type Progress, type Seen } from "./seen.ts";
import type { Tools } from "./tools.ts";

/** After so many tries nobody needs to hope any more; it is tried all the same. */
const patience = 12;

type Ask = (calls: Tools["calls"], options: CallOptions) => Promise<Progress>;

/**
 * One question to the driver, only under the lease and only to the driver that we know. What it refuses is part of what is
 * seen next, so that the table says what follows, and people read the driver's own words.
 */
export async function asked(step: Step, seen: Seen, hand: Hand, tools: Tools, ask: Ask): Promise<Progress> {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  const done = (code: string) => tools.called(step, seconds(), code);
  try {
    await tools.acquaintance.confirm();
    hand.requireLease();
    const { failed: _, ...progress } = await ask(tools.calls, tools.call);
    done("OK");
    return progress;
  } catch (problem) {
    if (problem instanceof RpcError && problem.code === "UNAVAILABLE") tools.acquaintance.doubt();
    const failed = failureOf(problem, seen, seconds());
    if (failed === undefined) throw problem;
    done(problem instanceof RpcError ? problem.code : "UNFIT");
    return { ...seen.progress, failed };
  }
}

/** What is not there need not be taken back. */
export async function unlessGone(call: Promise<unknown>): Promise<void> {
  await call.catch((problem: unknown) => {
    if (!(problem instanceof RpcError && problem.code === "NOT_FOUND")) throw problem;
  });
}

/** Undefined for what the driver has not said: a bug keeps its own stack, and a lost lease is no answer. */
function failureOf(problem: unknown, seen: Seen, seconds: number): Failed | undefined {
  const { progress, now } = seen;
  // From the end of the call: one that takes longer than the pause would be asked again at once, and nobody told.
  const at = new Date(now.getTime() + seconds * 1000);
  const circumstances = circumstancesOf(seen);
  const times = (progress.failed?.circumstances === circumstances ? progress.failed.times : 0) + 1;
  const words = wordsOf(problem, times);
  if (words === undefined) return undefined;
  const message = driversWords(words.message, Object.values(progress.access?.credentials ?? {}));
  return { ...words, message, times, at, circumstances };
}

function wordsOf(problem: unknown, times: number): Pick<Failed, "why" | "message"> | undefined {
  if (problem instanceof UnfitAnswer)
    return { why: "AnswerUnfit", message: `The driver's answer cannot be used: ${problem.message}.` };
  if (!(problem instanceof RpcError)) return undefined;
  return { why: whyOf(problem, times), message: `The driver says: ${problem.message}.` };
}

function whyOf({ trouble, code }: RpcError, times: number): Reason {
  // What is not there will not come by itself; the class names it.
  if (trouble === "refused" || code === "NOT_FOUND") return "DriverRefused";
  return times > patience ? "DriverKeepsFailing" : "DriverRetried";
}
