import { ConnectionError, type HttpRequest } from "./http.ts";

export const defaultTimeoutSeconds = 30;

type Timed = Pick<HttpRequest, "method" | "path" | "signal"> & { readonly timeoutSeconds?: number };

/** Only what waits for the answer has been sent. */
type Waiting = "its turn" | "credentials" | "a connection" | "the answer";

/** How long a request may take, and what to say when it took longer. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  leftMilliseconds(): number;
  clearTimer(): void;
  waitsFor(what: Waiting): void;
  reasonFor(problem: unknown): unknown;
}

export function deadlineOf({ method, path, signal, timeoutSeconds = defaultTimeoutSeconds }: Timed): Deadline {
  const end = performance.now() + timeoutSeconds * 1000;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutSeconds * 1000);
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted === true) abort();
  let waiting: Waiting = "its turn";
  return {
    signal: controller.signal,
    leftMilliseconds: () => end - performance.now(),
    clearTimer: () => clearTimeout(timer),
    waitsFor: (what) => void (waiting = what),
    /** A deadline that passed after sending leaves a write in doubt, like a lost connection. */
    reasonFor(problem) {
      if (signal?.aborted === true) return signal.reason as unknown;
      if (!controller.signal.aborted) return problem;
      const lost = problem instanceof ConnectionError ? problem : undefined;
      const why = lost?.message ?? `it waited for ${waiting}`;
      const sent = lost?.sent ?? waiting === "the answer";
      return new ConnectionError(`no answer to ${method} ${path} in ${timeoutSeconds} s: ${why}`, {
        sent,
        cause: problem,
      });
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}

/** What takes for ever must not keep a caller beyond its deadline; it goes on for the others. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const first = Promise.withResolvers<T>();
  const abort = () => first.reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  promise.then(first.resolve, first.reject);
  try {
    return await first.promise;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
