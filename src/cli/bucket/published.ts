import { type Credentials, credentialsIn, type SecretData } from "../../api/buckets/secret-keys.ts";

type Texts = Readonly<Record<string, string>>;
type Reading = (texts: Texts) => Readonly<Record<keyof Credentials, string | undefined>>;

/** A Bucket's Secret is written in the formats that its class asks for; the same credentials are in each of them. */
const readings: readonly Reading[] = [
  (texts) => ({
    endpoint: texts["endpoint"],
    region: texts["region"],
    protocol: texts["protocol"],
    bucketName: texts["bucketName"],
    accessKeyID: texts["accessKeyID"],
    accessSecretKey: texts["accessSecretKey"],
  }),
  (texts) => ({
    endpoint: texts["AWS_ENDPOINT_URL"],
    region: texts["AWS_REGION"],
    protocol: undefined,
    bucketName: texts["BUCKET_NAME"],
    accessKeyID: texts["AWS_ACCESS_KEY_ID"],
    accessSecretKey: texts["AWS_SECRET_ACCESS_KEY"],
  }),
  (texts) => ({
    endpoint: texts["COSI_S3_ENDPOINT"],
    region: texts["COSI_S3_REGION"],
    protocol: texts["COSI_PROTOCOL"]?.toLowerCase(),
    bucketName: texts["COSI_S3_BUCKET_ID"],
    accessKeyID: texts["COSI_S3_ACCESS_KEY_ID"],
    accessSecretKey: texts["COSI_S3_ACCESS_SECRET_KEY"],
  }),
  ({ BucketInfo = "" }) => {
    const { bucketName, secretS3, protocols = [] } = specIn(BucketInfo);
    return {
      endpoint: secretS3?.endpoint,
      region: secretS3?.region,
      protocol: protocols[0],
      bucketName,
      accessKeyID: secretS3?.accessKeyID,
      accessSecretKey: secretS3?.accessSecretKey,
    };
  },
];

/** Undefined when no format is whole: somebody has changed the Secret. */
export function credentialsOf(data: SecretData): Credentials | undefined {
  const texts = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, textOf(text)]));
  for (const reading of readings) {
    const found = credentialsIn(inBase64(reading(texts)));
    if (found.is === "complete") return found.credentials;
  }
  return undefined;
}

interface BucketInfoSpec {
  readonly bucketName?: string;
  readonly secretS3?: Readonly<Record<"endpoint" | "region" | "accessKeyID" | "accessSecretKey", string | undefined>>;
  readonly protocols?: readonly string[];
}

/** What is no document says nothing; an error of the parser would repeat a part of it. */
function specIn(document: string): Partial<BucketInfoSpec> {
  try {
    return (JSON.parse(document) as { readonly spec?: BucketInfoSpec }).spec ?? {};
  } catch {
    return {};
  }
}

function inBase64(texts: Readonly<Record<string, string | undefined>>): SecretData {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text ?? "").toString("base64")]),
  );
}

function textOf(base64: string): string {
  return Buffer.from(base64, "base64").toString();
}
