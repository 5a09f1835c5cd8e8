export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A token bucket: callers get their turn in the order of their calls. Without a rate nobody waits. */
export function rateLimit(
  rate: Rate | undefined,
  now: () => number = () => performance.now(),
): (signal?: AbortSignal) => Promise<void> {
  if (rate === undefined) return async () => undefined;
  const { perSecond, burst } = rate;
  const waiting = new Set<() => void>();
  let tokens = burst;
  let asOf = now();
  let timer: NodeJS.Timeout | undefined;

  function refill(): void {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - asOf) / 1000) * perSecond);
    asOf = time;
  }

  function serve(): void {
    clearTimeout(timer);
    refill();
    for (const go of waiting) {
      if (tokens < 1) break;
      tokens--;
      waiting.delete(go);
      go();
    }
    if (waiting.size > 0) timer = setTimeout(serve, Math.ceil(((1 - tokens) / perSecond) * 1000));
  }

  return async (signal) => {
    signal?.throwIfAborted();
    if (waiting.size === 0) {
      refill();
      if (tokens >= 1) return void tokens--;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Whoever gives up leaves the queue, and those behind move up.
    const leave = () => {
      waiting.delete(resolve);
      reject(signal?.reason as Error);
      serve();
    };
    signal?.addEventListener("abort", leave, { once: true });
    waiting.add(resolve);
    serve();
    await promise;
    signal?.removeEventListener("abort", leave);
  };
}
