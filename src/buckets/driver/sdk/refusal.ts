import type { Code } from "../../../rpc/errors.ts";

/** What a driver throws to say no. The words reach whoever asked for the bucket, so they hold no secret. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

export function invalid(message: string): Refusal {
  return new Refusal("INVALID_ARGUMENT", message);
}
