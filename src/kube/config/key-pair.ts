import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { Failure } from "../../api/failure.ts";
import type { Credentials } from "./target.ts";

export type KeyPair = NonNullable<Credentials["clientCertificate"]>;

/** Refuses what TLS would refuse later with a riddle, and a certificate whose key has not been replaced yet. */
export function keyPair(certificate: string, key: string, owner: string): KeyPair {
  if (certificateIn(certificate, owner).checkPrivateKey(keyIn(key, owner))) return { certificate, key };
  throw new Failure(
    `the client certificate and the client key of ${owner} do not belong together`,
    "Renew both of them together.",
  );
}

function certificateIn(pem: string, owner: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new Failure(
      `the client certificate of ${owner} is not a certificate in PEM`,
      "Renew it together with its key.",
    );
  }
}

function keyIn(pem: string, owner: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Failure(
      `the client key of ${owner} is not an unencrypted key in PEM`,
      "Renew it, or remove its passphrase.",
    );
  }
}
