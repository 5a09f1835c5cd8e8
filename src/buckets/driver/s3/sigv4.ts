import { createHash, createHmac } from "node:crypto";

export interface Keys {
  readonly accessKeyID: string;
  readonly accessSecretKey: string;
}

export interface Unsigned {
  readonly method: string;
  readonly url: URL;
  /** In small letters, without the host and what signing adds. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Signer {
  readonly keys: Keys;
  readonly region: string;
  readonly now: Date;
}

/** The headers that make it a request of the owner of the keys: AWS signature version 4, for the service s3. */
export function signed({ method, url, headers = {}, body = "" }: Unsigned, signer: Signer): Record<string, string> {
  const time = signer.now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const all = { ...headers, host: url.host, "x-amz-content-sha256": sha256(body), "x-amz-date": time };
  const sorted = Object.entries(all).toSorted(byName);
  const names = sorted.map(([name]) => name).join(";");
  const lines = sorted.map(([name, value]) => `${name}:${value.trim()}\n`).join("");
  const request = [method, url.pathname, queryOf(url), lines, names, sha256(body)].join("\n");
  const scope = `${time.slice(0, 8)}/${signer.region}/s3/aws4_request`;
  const steps = [time.slice(0, 8), signer.region, "s3", "aws4_request"];
  const key = steps.reduce<string | Buffer>(hmac, `AWS4${signer.keys.accessSecretKey}`);
  const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(request)].join("\n")).toString("hex");
  const { host: _, ...sent } = all;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${signer.keys.accessKeyID}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** As S3 wants it in paths and queries: encodeURIComponent leaves five signs that it does not. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A key keeps its slashes. */
export function encodedKey(key: string): string {
  return key.split("/").map(encoded).join("/");
}

function queryOf(url: URL): string {
  const pairs = [...url.searchParams].map(([name, value]) => [encoded(name), encoded(value)] as const);
  return pairs
    .toSorted((one, other) => byName(one, other) || (one[1] < other[1] ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
