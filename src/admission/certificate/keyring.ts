import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIPv4 } from "node:net";
import { Failure } from "../../api/failure.ts";
import type { Secret } from "../../api/gen/core.ts";
import type { KeyPair } from "./self-signed.ts";

/** A certificate, whom it names, and until when it is good. */
export interface Certificate {
  readonly certificate: string;
  readonly notAfter: Date;
}

export type Edition = Certificate & KeyPair;

/** What all replicas share, in one Secret. All of it is trusted, and only the current one is served. */
export interface Keyring {
  readonly current?: Edition;
  /** Trusted before it is served, so that no server ever meets a certificate that it does not know yet. */
  readonly next?: Edition;
  /** Trusted after it was served: a replica may not have heard of the change. */
  readonly previous?: Certificate;
}

const version = "1";

/** What cannot be read counts as missing, so that an empty or damaged Secret mends itself. One that is newer is left alone. */
export function keyringIn({ data = {} }: Pick<Secret, "data">): Keyring {
  const field = (name: string) => Buffer.from(data[name] ?? "", "base64").toString();
  if (data["v"] !== undefined && field("v") !== version)
    throw new Failure(
      `the certificates were written by a newer Portway (version ${JSON.stringify(field("v").slice(0, 20))})`,
      "Update this replica, or empty the Secret to have new ones made.",
    );
  const [current, next] = [edition(field("tls.crt"), field("tls.key")), edition(field("next.crt"), field("next.key"))];
  const previous = certificate(field("previous.crt"));
  return {
    ...(current === undefined ? {} : { current }),
    ...(next === undefined ? {} : { next }),
    ...(previous === undefined ? {} : { previous }),
  };
}

export function dataOf({ current, next, previous }: Keyring): Readonly<Record<string, string>> {
  const fields = {
    v: version,
    "tls.crt": current?.certificate,
    "tls.key": current?.key,
    "next.crt": next?.certificate,
    "next.key": next?.key,
    "previous.crt": previous?.certificate,
  };
  const encoded = Object.entries(fields).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, Buffer.from(text).toString("base64")] as const],
  );
  return Object.fromEntries(encoded);
}

/** What the API server is told to trust, as it wants to be told: PEM, one after another, in base64. */
export function bundleOf({ current, next, previous }: Keyring, now: Date): string {
  const trusted = [current, next, previous].filter((one) => one !== undefined && one.notAfter > now);
  return Buffer.from(trusted.map((one) => one?.certificate ?? "").join("")).toString("base64");
}

export function editionOf(pair: KeyPair): Edition {
  return { ...pair, notAfter: new X509Certificate(pair.certificate).validToDate };
}

/** Whether a server with this certificate may call itself by all these names. */
export function covers({ certificate }: Certificate, names: readonly string[]): boolean {
  const parsed = new X509Certificate(certificate);
  return names.every((name) => (isIPv4(name) ? parsed.checkIP(name) : parsed.checkHost(name)) !== undefined);
}

function edition(text: string, key: string): Edition | undefined {
  try {
    const isPair = new X509Certificate(text).checkPrivateKey(createPrivateKey(key));
    return isPair ? editionOf({ certificate: text, key }) : undefined;
  } catch {
    return undefined;
  }
}

function certificate(text: string): Certificate | undefined {
  try {
    return { certificate: text, notAfter: new X509Certificate(text).validToDate };
  } catch {
    return undefined;
  }
}
