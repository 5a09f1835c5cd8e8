import { ApiError } from "./errors.ts";

export interface RepeatedPatches {
  guard<R>(path: string, patch: string, send: () => Promise<R>): Promise<R>;
}

const mostRemembered = 1000;

/** A watch may be this late; until then the same patch may be built once more from the same old picture. */
export const lateMilliseconds = 2000;

interface Failed {
  readonly patch: string;
  readonly since: number;
}

/**
 * A patch that failed as a conflict is built anew from what is seen then, so it differs at least in the version it
 * tests. The very same patch failing when the news must have come means that it was not built from what was seen: a bug
 * that would loop for ever.
 */
export function repeatedPatches(now: () => number = () => performance.now()): RepeatedPatches {
  const failed = new Map<string, Failed>();
  return {
    async guard(path, patch, send) {
      try {
        const answer = await send();
        failed.delete(path);
        return answer;
      } catch (problem) {
        if (!(problem instanceof ApiError) || problem.code !== 422 || problem.trouble !== "conflict") throw problem;
        const before = failed.get(path);
        const isSame = before?.patch === patch;
        if (isSame && now() - before.since >= lateMilliseconds) throw asBug(problem);
        if (!isSame) failed.set(path, { patch, since: now() });
        if (failed.size > mostRemembered) failed.delete(failed.keys().next().value ?? "");
        throw problem;
      }
    },
  };
}

function asBug(problem: ApiError): ApiError {
  const message = `the same patch is refused again and again; it is not built from what was seen (${problem.message})`;
  const { code, reason, causes, retryAfterSeconds } = problem;
  return new ApiError(problem.asked, { code, reason, message, causes, retryAfterSeconds }, "bug", problem);
}
