import type { Trouble, Troubled } from "../api/trouble.ts";

interface More {
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
  /** For the log, and not for whoever owns the claim. */
  readonly detail?: string | undefined;
}

/** It will not work until somebody changes something; tried again all the same, at the pace that the flags say. */
export class Hindrance extends Error implements Troubled {
  override readonly name = "Hindrance";
  readonly trouble: Trouble = "refused";
  readonly retryAfterSeconds: number | undefined;

  constructor(because: string, { retryAfterSeconds, cause, detail }: More = {}) {
    super(because, { cause: cause ?? detail });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The driver has answered with something that cannot be used. It is asked the same again. */
export class WrongAnswer extends Error implements Troubled {
  override readonly name = "WrongAnswer";
  readonly trouble: Trouble = "in-doubt";

  constructor(because: string, { detail }: Pick<More, "detail"> = {}) {
    super(because, { cause: detail });
  }
}
