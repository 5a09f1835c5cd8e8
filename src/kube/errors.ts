import type { Trouble } from "../api/trouble.ts";
import { type ConnectionError, header } from "./transport/http.ts";
import type { Answer } from "./transport/transport.ts";

export interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The server's Status object, as far as we read it. */
interface Status {
  readonly kind?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly kind?: string;
    readonly causes?: readonly Cause[];
    readonly retryAfterSeconds?: number;
  };
}

/** What was asked, in words for messages and logs. */
export interface Asked {
  readonly verb: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The request may change something on the server. */
  readonly writes: boolean;
  readonly patch?: "json" | "merge" | "apply";
}

/** The server said no, or nothing at all. Everything there is to know about it, in one type. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly asked: Asked;
  /** The HTTP status; 0 when there was no answer. */
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly Cause[];
  readonly retryAfterSeconds: number | undefined;
  readonly trouble: Trouble;

  constructor(asked: Asked, facts: Facts, trouble: Trouble, cause?: unknown) {
    super(`${askedInWords(asked)}: ${facts.message}`, { cause });
    this.asked = asked;
    this.code = facts.code;
    this.reason = facts.reason;
    this.causes = facts.causes;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.trouble = trouble;
  }

  /** The server knows the kind and has no such object. A kind it does not serve, or a proxy's 404, says nothing of objects. */
  get isNotFound(): boolean {
    return this.code === 404 && this.reason === "NotFound";
  }

  get isNotServed(): boolean {
    return this.code === 404 && this.reason === notServed;
  }

  /** Our position in the history is too old for the server: list again. */
  get isExpired(): boolean {
    return this.code === 410 || this.reason === "Expired" || this.reason === "Gone";
  }

  get isNamespaceTerminating(): boolean {
    return this.causes.some(({ reason }) => reason === "NamespaceTerminating");
  }

  get isQuotaExceeded(): boolean {
    return this.code === 403 && this.message.includes("exceeded quota");
  }

  /** The admission policy or webhook that refused it. */
  get deniedBy(): string | undefined {
    return deniedBy(this.message);
  }
}

export interface Facts {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly Cause[];
  readonly retryAfterSeconds: number | undefined;
}

const policyDenial = /ValidatingAdmissionPolicy '([^']+)'.* denied request/;
const webhookDenial = /admission webhook "([^"]+)" denied the request/;

function deniedBy(message: string): string | undefined {
  return policyDenial.exec(message)?.[1] ?? webhookDenial.exec(message)?.[1];
}

/** The server says only "Unauthorized". */
const notLetIn = "the server does not accept our credentials; log in again, or check the token and its expiry";

/** Our own word: the server says NotFound to a missing object and to a kind it does not know. */
const notServed = "NotServed";

/** Over 1.5 MiB etcd says no, over 2 MiB its client does; the server passes both on as a 500 without a reason. */
const tooLarge = /etcdserver: request is too large|trying to send message larger than max/;

type Row = readonly [says: string, holds: (facts: Facts, asked: Asked) => boolean, trouble: Trouble];

/** The one table from what the server says to what happens next. The first row that holds wins. */
export const troubles: readonly Row[] = [
  ["a policy or a webhook denied it", ({ message }) => deniedBy(message) !== undefined, "refused"],
  ["a JSON patch no longer fits the object", isFailedTest, "conflict"],
  [
    "the object has another identity now",
    ({ code, causes }) => code === 422 && causes.some(({ field }) => field === "metadata.uid"),
    "conflict",
  ],
  ["the server has no such kind", ({ reason }) => reason === notServed, "refused"],
  [
    "another manager holds a field we apply, and will hold it when we look again",
    ({ causes }) => causes.some(({ reason }) => reason === "FieldManagerConflict"),
    "refused",
  ],
  [
    "the object is gone, exists already, has changed, or our list is too old",
    ({ code, reason }) => code === 409 || code === 410 || (code === 404 && reason === "NotFound"),
    "conflict",
  ],
  ["we are not let in, or asked too often: nothing was done", ({ code }) => [401, 429].includes(code), "transient"],
  ["it is forbidden, invalid or too large", ({ code }) => [403, 413, 422].includes(code), "refused"],
  ["it is too large to be stored", ({ code, message }) => code === 500 && tooLarge.test(message), "refused"],
  ["the server failed over a write", ({ code }, { writes }) => writes && (code >= 500 || code === 408), "in-doubt"],
  ["the server failed over a read", ({ code }) => code >= 500 || code === 408, "transient"],
  ["we asked for something that makes no sense", ({ code }) => code >= 400, "bug"],
];

/** The server answers a failed `test` and a patch of a missing path alike: 422 without a cause. Validation names causes. */
export function isFailedTest({ code, causes, reason }: Facts, { patch }: Asked): boolean {
  return patch === "json" && code === 422 && reason === "Invalid" && causes.length === 0;
}

export function errorOf(asked: Asked, answer: Answer): ApiError {
  const facts = factsOf(answer);
  const trouble = troubles.find(([, holds]) => holds(facts, asked))?.[2] ?? "bug";
  return new ApiError(asked, facts, trouble);
}

/** No answer: a read may be asked again, and a write that was sent may have been stored. */
export function errorOfLoss(asked: Asked, problem: ConnectionError): ApiError {
  const facts: Facts = {
    code: 0,
    reason: "ConnectionLost",
    message: problem.message,
    causes: [],
    retryAfterSeconds: undefined,
  };
  return new ApiError(asked, facts, asked.writes && problem.sent ? "in-doubt" : "transient", problem);
}

export function factsOf(answer: Answer): Facts {
  const status = isUnserved(answer)
    ? { reason: notServed, message: "the server does not serve this kind" }
    : (statusIn(answer.text) ?? { message: unreadable(answer) });
  return {
    code: answer.status,
    reason: status.reason ?? "Unknown",
    message: answer.status === 401 ? notLetIn : (status.message ?? "no reason was given"),
    causes: status.details?.causes ?? [],
    retryAfterSeconds: status.details?.retryAfterSeconds ?? secondsIn(header(answer, "retry-after")),
  };
}

/**
 * A missing object is named in the details. A kind or version that is not served has no details, and a group not even
 * a Status; that it is the API server's own answer shows in its audit id.
 */
function isUnserved(answer: Answer): boolean {
  if (answer.status !== 404) return false;
  const status = statusIn(answer.text);
  return status === undefined ? header(answer, "audit-id") !== undefined : status.details?.kind === undefined;
}

function secondsIn(text: string | undefined): number | undefined {
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

function statusIn(text: string): Status | undefined {
  try {
    const status = JSON.parse(text) as Status | null;
    return status?.kind === "Status" ? status : undefined;
  } catch {
    return undefined;
  }
}

/** Something between us and the server answered, or it is no Kubernetes API at all. */
export function unreadable({ status, headers, text }: Answer): string {
  const kind = header({ headers }, "content-type") ?? "an unnamed content type";
  const begin = text.slice(0, 80).replaceAll(/\s+/g, " ").trim();
  return `the answer (${status}, ${kind}) is not from a Kubernetes API server: "${begin}". Check the server's address and any proxy`;
}

function askedInWords({ verb, resource, namespace, name }: Asked): string {
  const object = [resource, name].filter((word) => word !== undefined).join("/");
  return `${verb} ${object}${namespace === undefined ? "" : ` in ${namespace}`}`;
}
