import { defined } from "../../api/defined.ts";
import { Failure } from "../../api/failure.ts";
import type { ExecSpec } from "./exec-spec.ts";
import { Fields } from "./fields.ts";
import { type KeyPair, keyPair } from "./key-pair.ts";
import type { Credentials } from "./target.ts";

export interface ExecAnswer {
  readonly credentials: Credentials;
  /** Milliseconds since 1970; for ever when the plugin names no time. */
  readonly expiresAt: number;
}

/** What the plugin printed. It holds secrets, so no sentence about it quotes any of it but its version. */
export function execAnswer(spec: ExecSpec, stdout: string): ExecAnswer {
  const place = `the answer of ${spec.place}`;
  const next = `Run ${spec.command} by hand, and update it if it does not print an ExecCredential.`;
  const answer = Fields.of(jsonIn(stdout, place, next), place, next);
  const [kind, version] = [answer.text("kind"), answer.text("apiVersion")];
  if (kind !== "ExecCredential" || version !== spec.apiVersion)
    throw new Failure(
      `${place} is ${kind ?? "nothing"} of ${version ?? "no version"}, not of ${spec.apiVersion}`,
      next,
    );
  const status = answer.mapping("status", `"status" of ${place}`);
  if (status === undefined) throw new Failure(`${place} has no status`, next);
  return { credentials: credentialsIn(status), expiresAt: expiryIn(status) };
}

function jsonIn(stdout: string, place: string, next: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Failure(`${place} is not JSON`, next);
  }
}

function credentialsIn(status: Fields): Credentials {
  const token = status.text("token");
  const clientCertificate = keyPairIn(status);
  if (token === undefined && clientCertificate === undefined)
    throw new Failure(`${status.place} holds neither a token nor a certificate`, status.next);
  return defined({ token, clientCertificate });
}

function keyPairIn(status: Fields): KeyPair | undefined {
  const [certificate, key] = [status.text("clientCertificateData"), status.text("clientKeyData")];
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined)
    throw new Failure(`${status.place} holds only one of certificate and key`, status.next);
  return keyPair(certificate, key, status.place);
}

function expiryIn(status: Fields): number {
  const words = status.text("expirationTimestamp");
  if (words === undefined) return Number.POSITIVE_INFINITY;
  const time = Date.parse(words);
  if (Number.isNaN(time)) throw new Failure(`"expirationTimestamp" of ${status.place} is not a time`, status.next);
  return time;
}
