import type { Code } from "../../src/rpc/errors.ts";

/** What a driver throws to say no. */
export class Refusal extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

export function required(value: string, what: string): string {
  if (value === "") throw new Refusal("INVALID_ARGUMENT", `${what} is missing`);
  return value;
}
