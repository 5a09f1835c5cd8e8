import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";
import * as der from "./der.ts";

/** PEM, both. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateWish {
  /** DNS names and IPv4 addresses under which the server is called. */
  readonly names: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const ecdsaWithSha256 = der.sequence(der.objectIdentifier("1.2.840.10045.4.3.2"));

/**
 * A server's certificate that vouches for nobody but itself: whoever trusts it trusts one key, and there is no authority whose
 * key could be stolen. Node reads certificates and makes none, so it is written here (RFC 5280).
 */
export function selfSigned({ names, notBefore, notAfter }: CertificateWish): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = distinguishedName(names[0] ?? "");
  const body = der.sequence(
    der.tagged(0, der.integer(Buffer.of(2))),
    der.integer(randomBytes(16)),
    ecdsaWithSha256,
    name,
    der.sequence(der.time(notBefore), der.time(notAfter)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der.tagged(3, der.sequence(...extensions(names))),
  );
  const whole = der.sequence(body, ecdsaWithSha256, der.bits(sign("sha256", body, privateKey)));
  return { certificate: pemOf(whole), key: keyOf(privateKey) };
}

function distinguishedName(commonName: string): Buffer {
  const part = der.sequence(der.objectIdentifier("2.5.4.3"), der.text(commonName.slice(0, 64)));
  return der.sequence(der.set(part));
}

function extensions(names: readonly string[]): readonly Buffer[] {
  const alternatives = names.map((name) =>
    isIPv4(name) ? der.taggedBytes(7, Buffer.from(name.split(".").map(Number))) : der.taggedBytes(2, Buffer.from(name)),
  );
  const [mustBeKnown, mayBeIgnored] = [[der.yes], []];
  return [
    // No authority: it signs no other certificate.
    extension("2.5.29.19", mustBeKnown, der.sequence()),
    extension("2.5.29.15", mustBeKnown, digitalSignature),
    extension("2.5.29.37", mayBeIgnored, der.sequence(der.objectIdentifier("1.3.6.1.5.5.7.3.1"))),
    extension("2.5.29.17", mayBeIgnored, der.sequence(...alternatives)),
  ];
}

/** The first bit of the list of uses; the other seven of the byte are not there. */
const digitalSignature = Buffer.of(0x03, 0x02, 0x07, 0x80);

function extension(id: string, critical: readonly Buffer[], content: Buffer): Buffer {
  return der.sequence(der.objectIdentifier(id), ...critical, der.octets(content));
}

function pemOf(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function keyOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
