import type { Reason } from "../../api/reasons.ts";
import type { Trouble, Troubled } from "../../api/trouble.ts";

/** It will not work until somebody changes something; nobody tells us when, so it is tried again, slower and slower. */
export class Hindrance extends Error implements Troubled {
  override readonly name = "Hindrance";
  readonly trouble: Trouble = "refused";
  readonly why: Reason;

  constructor(why: Reason, because: string) {
    super(because);
    this.why = why;
  }
}
