/** `make` passes a SIGTERM on that its whole group has already had: what comes so soon is the same wish, told twice. */
const sameWishMilliseconds = 1000;

/** The first SIGINT or SIGTERM asks everything to stop and clean up; the second one leaves at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let askedAt = Number.NaN;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (performance.now() - askedAt > sameWishMilliseconds) process.exit(1);
      if (controller.signal.aborted) return;
      askedAt = performance.now();
      controller.abort(new Stopped());
    });
  }
  return controller.signal;
}

/** Somebody asked to stop, and what was under way ended early: not an error, and not success either. */
export class Stopped extends Error {
  override readonly name = "Stopped";

  constructor() {
    super("stopped");
  }
}
