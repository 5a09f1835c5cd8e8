import type { Reason } from "../../api/reasons.ts";
import { RpcError } from "../../rpc/errors.ts";
import type { CallOptions } from "../../rpc/grpc.ts";
import type { Hand } from "../../runtime/hand.ts";
import { UnfitAnswer } from "./answers.ts";
import type { Step } from "./rules.ts";
import type { Failed, Progress, Seen } from "./seen.ts";
import type { Tools } from "./tools.ts";

/** A call that the driver does not answer by then is asked again; a bucket with much in it is emptied over many calls. */
const callOptions: CallOptions = { timeoutSeconds: 30 };
/** After so many tries nobody needs to hope any more; it is tried all the same. */
const patience = 12;

type Ask = (calls: Tools["calls"], options: CallOptions) => Promise<Progress>;

/**
 * One question to the driver, only under the lease and only to the driver that we know. What it refuses is part of what is
 * seen next, so that the table says what follows, and people read the driver's own words.
 */
export async function asked(step: Step, seen: Seen, hand: Hand, tools: Tools, ask: Ask): Promise<Progress> {
  const start = performance.now();
  const done = (code: string) => tools.called(step, (performance.now() - start) / 1000, code);
  try {
    await tools.acquaintance.confirm();
    hand.requireLease();
    const { failed: _, ...progress } = await ask(tools.calls, callOptions);
    done("OK");
    return progress;
  } catch (problem) {
    if (problem instanceof RpcError && problem.code === "UNAVAILABLE") tools.acquaintance.doubt();
    const failed = failureOf(problem, seen);
    if (failed === undefined) throw problem;
    done(problem instanceof RpcError ? problem.code : "UNFIT");
    return { ...seen.progress, failed };
  }
}

/** Undefined for what the driver has not said: a bug keeps its own stack, and a lost lease is no answer. */
function failureOf(problem: unknown, { progress, era, now }: Seen): Failed | undefined {
  const times = (progress.failed?.era === era ? progress.failed.times : 0) + 1;
  if (problem instanceof UnfitAnswer)
    return {
      why: "AnswerUnfit",
      message: `The driver's answer cannot be used: ${problem.message}.`,
      times,
      at: now,
      era,
    };
  if (!(problem instanceof RpcError)) return undefined;
  return { why: whyOf(problem, times), message: `The driver says: ${problem.message}.`, times, at: now, era };
}

function whyOf({ trouble, code }: RpcError, times: number): Reason {
  // What is not there will not come by itself; the class names it.
  if (trouble === "refused" || code === "NOT_FOUND") return "DriverRefused";
  return times > patience ? "DriverKeepsFailing" : "DriverRetried";
}
