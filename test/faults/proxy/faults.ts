import type { OutgoingHttpHeaders } from "node:http2";
import type { Place } from "./asked.ts";

/** What can happen to one write. Data only, so that it can be listed, logged and printed. */
export type Fault =
  /** The client is killed; the write never reaches the server. */
  | { readonly kind: "kill-before" }
  /** The write is stored, and the client is killed before it hears of it. */
  | { readonly kind: "kill-after" }
  /** The write is stored; the client lives, and hears only that the stream is lost. */
  | { readonly kind: "lose-reply" }
  /** A refusal that the server knows nothing of. */
  | { readonly kind: "answer"; readonly code: RefusalCode; readonly retryAfterSeconds?: number }
  | { readonly kind: "applied-then-500" }
  /** Neither forwarded nor answered, until the client gives up. */
  | { readonly kind: "timeout" }
  | { readonly kind: "applied-then-timeout" }
  /** The client is killed, and the write reaches the server when the plan says so: into the work of its next life. */
  | { readonly kind: "late-after-kill" }
  /** The client hears nothing until it gives up; the write reaches the server when the plan says so, and nobody hears of it. */
  | { readonly kind: "late-after-timeout" }
  /** Forwarded this much later; nothing else. */
  | { readonly kind: "slow"; readonly milliseconds: number };

export type RefusalCode = 403 | 409 | 422 | 429 | 500 | 503;

/** A reply as it goes to the client. */
export interface Reply {
  readonly status: number;
  readonly fields: OutgoingHttpHeaders;
  readonly bytes: Buffer;
}

const reasons: Readonly<Record<RefusalCode, readonly [reason: string, message: string]>> = {
  403: ["Forbidden", "forbidden by the plan of a test"],
  409: ["Conflict", "the object has been modified; please apply your changes to the latest version and try again"],
  422: ["Invalid", "invalid by the plan of a test"],
  429: ["TooManyRequests", "the server has received too many requests and has asked us to try again later"],
  500: ["InternalError", "an error on the server has prevented the request from succeeding"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
};

/** A Status as the server itself would write it. */
export function refusal(code: RefusalCode, { group, resource, name = "" }: Place, retryAfterSeconds?: number): Reply {
  const [reason, message] = reasons[code];
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `${resource} "${name}": ${message}`,
    reason,
    details: {
      name,
      group,
      kind: resource,
      // Without a cause it would be a JSON patch whose test failed.
      ...(code === 422 ? { causes: [{ reason: "FieldValueInvalid", message, field: "spec" }] } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
    code,
  };
  const bytes = Buffer.from(JSON.stringify(status));
  const fields = {
    ":status": code,
    "content-type": "application/json",
    "content-length": String(bytes.length),
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
  };
  return { status: code, fields, bytes };
}
