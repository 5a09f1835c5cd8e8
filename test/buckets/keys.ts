import { S3Client } from "@aws-sdk/client-s3";
import { type Secret, secrets } from "../../src/api/gen/core.ts";
import type { ObjectKey } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";

/** What a tenant's program reads of its Secret, in the flat form. */
export interface Keys {
  readonly endpoint: string;
  readonly region: string;
  readonly bucketName: string;
  readonly accessKeyID: string;
  readonly accessSecretKey: string;
}

export function keysIn({ data = {} }: Secret): Keys {
  const text = (key: keyof Keys) => Buffer.from(data[key] ?? "", "base64").toString();
  return {
    endpoint: text("endpoint"),
    region: text("region"),
    bucketName: text("bucketName"),
    accessKeyID: text("accessKeyID"),
    accessSecretKey: text("accessSecretKey"),
  };
}

export async function keysOf(client: Client, place: ObjectKey): Promise<Keys> {
  return keysIn(await client.get(secrets, place));
}

/** The official client, as a tenant's program opens it. One try: what is refused is refused. */
export function s3With(
  t: { after(end: () => void): void },
  { endpoint, region, accessKeyID, accessSecretKey }: Keys,
): S3Client {
  const client = new S3Client({
    endpoint,
    region: region || "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: accessKeyID, secretAccessKey: accessSecretKey },
  });
  t.after(() => client.destroy());
  return client;
}

/** The answer's status: 200, or what the store refuses with. */
export async function statusOf(request: Promise<{ $metadata: { httpStatusCode?: number } }>): Promise<number> {
  try {
    return (await request).$metadata.httpStatusCode ?? 0;
  } catch (problem) {
    return (problem as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;
  }
}
