import type { Code } from "../../../rpc/errors.ts";
import { Refusal } from "../sdk/refusal.ts";

/** What a store answered instead of doing what it was asked. */
export interface StoreAnswer {
  readonly status: number;
  /** The code of S3, for instance `NoSuchBucket`; empty when it gave none. */
  readonly code: string;
  readonly message: string;
}

/** A store said no. Its words have no secrets: stores quote what was signed in other elements, which nobody reads. */
export class StoreRefusal extends Error {
  override readonly name = "StoreRefusal";
  readonly answer: StoreAnswer;
  readonly what: string;

  constructor(what: string, answer: StoreAnswer) {
    super(`${what}: ${[answer.code, answer.message].filter((word) => word !== "").join(": ") || answer.status}`);
    this.what = what;
    this.answer = answer;
  }

  is(...codes: readonly string[]): boolean {
    return codes.includes(this.answer.code);
  }
}

const checkKeys = "check the driver's root credentials and start it again";

/** From the words of S3 to what a caller of the driver hears, and what it can do. Whatever is not here goes by status. */
const byCode: Readonly<Record<string, readonly [code: Code, next?: string]>> = {
  // Terminal: no repeat helps until a person gives the driver other keys.
  InvalidAccessKeyId: ["PERMISSION_DENIED", checkKeys],
  SignatureDoesNotMatch: ["PERMISSION_DENIED", checkKeys],
  AccessDenied: ["PERMISSION_DENIED", checkKeys],
  XAdminAccessDenied: ["PERMISSION_DENIED", "the driver's root credentials belong to no administrator of the store"],
  AuthorizationHeaderMalformed: ["PERMISSION_DENIED", "check that --region is the store's"],
  InvalidBucketName: ["INVALID_ARGUMENT"],
  IllegalLocationConstraintException: ["INVALID_ARGUMENT", "check that --region is the store's"],
  BucketAlreadyExists: ["ALREADY_EXISTS"],
  NoSuchBucket: ["NOT_FOUND"],
  BucketNotEmpty: ["FAILED_PRECONDITION"],
  RequestTimeTooSkewed: ["FAILED_PRECONDITION", "set the clocks of the driver and the store"],
  MethodNotAllowed: ["FAILED_PRECONDITION", "the store takes no changes now"],
  OperationAborted: ["ABORTED"],
  TooManyBuckets: ["RESOURCE_EXHAUSTED"],
  QuotaExceeded: ["RESOURCE_EXHAUSTED"],
  InsufficientStorage: ["RESOURCE_EXHAUSTED", "the store is full"],
  SlowDown: ["UNAVAILABLE"],
  ServiceUnavailable: ["UNAVAILABLE"],
};

const byStatus: Readonly<Record<number, Code>> = {
  403: "PERMISSION_DENIED",
  408: "UNAVAILABLE",
  429: "UNAVAILABLE",
  501: "UNIMPLEMENTED",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "UNAVAILABLE",
  507: "RESOURCE_EXHAUSTED",
};

export function refusalOf(refused: StoreRefusal): Refusal {
  const { code, status } = refused.answer;
  const [says, next] = byCode[code] ?? [byStatus[status] ?? "INTERNAL"];
  return new Refusal(says, next === undefined ? refused.message : `${refused.message} (${next})`);
}

/** No answer at all: a store that is away, or too slow. */
export function silence(what: string, problem: unknown, timeoutSeconds: number): Refusal {
  if (problem instanceof Error && problem.name === "TimeoutError")
    return new Refusal("DEADLINE_EXCEEDED", `${what}: the store did not answer within ${timeoutSeconds} s`);
  return new Refusal("UNAVAILABLE", `${what}: the store cannot be reached: ${causeOf(problem)}`);
}

/** fetch says only that it failed; why is in the innermost cause. */
function causeOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  if (problem.cause !== undefined) return causeOf(problem.cause);
  const { code } = problem as NodeJS.ErrnoException;
  return code === undefined || problem.message.includes(code) ? problem.message || problem.name : code;
}
