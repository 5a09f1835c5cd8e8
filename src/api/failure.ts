/**
 * A problem a person can act on: what is wrong, and what to do next. It is printed as it is, without a stack;
 * anything else that is thrown is a bug and keeps its stack.
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly next: string;
  readonly exitCode: 1 | 2;

  constructor(what: string, next: string, more: { readonly exitCode?: 1 | 2; readonly cause?: unknown } = {}) {
    super(what, more.cause === undefined ? {} : { cause: more.cause });
    this.next = next;
    this.exitCode = more.exitCode ?? 1;
  }
}

/** The caller's words are off: exit code 2, as kubectl users expect of a usage error. */
export function misuse(what: string, next: string): Failure {
  return new Failure(what, next, { exitCode: 2 });
}
