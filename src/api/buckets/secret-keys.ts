/** The keys of a Secret that opens a bucket, as drivers make it and as administrators write it by hand. */
export const requiredKeys = ["endpoint", "bucketName", "accessKeyID", "accessSecretKey"] as const;
export const furtherKeys = ["region", "protocol"] as const;

/** What is in such a Secret, in plain text. */
export type Credentials = Readonly<
  Record<(typeof requiredKeys)[number], string> & Partial<Record<(typeof furtherKeys)[number], string>>
>;

/** A Secret's data as the server has it: every value in base64. */
export type SecretData = Readonly<Record<string, string>>;

export type ReadCredentials =
  | { readonly is: "complete"; readonly credentials: Credentials }
  | { readonly is: "incomplete"; readonly missing: readonly string[] };

/** Other keys are left where they are: what an administrator keeps beside them is not for everybody. */
export function credentialsIn(data: SecretData): ReadCredentials {
  const values = new Map(
    [...requiredKeys, ...furtherKeys].map((key) => [key, Buffer.from(data[key] ?? "", "base64").toString()] as const),
  );
  const missing = requiredKeys.filter((key) => values.get(key) === "");
  if (missing.length > 0) return { is: "incomplete", missing };
  return { is: "complete", credentials: withoutEmpty(Object.fromEntries(values)) as Credentials };
}

export interface Addressing {
  /** Whether the name of the bucket belongs into the path, and not into the host. */
  readonly pathStyle: boolean;
}

type Rendering = (credentials: Credentials, addressing: Addressing) => Readonly<Record<string, string | undefined>>;

/** The same credentials in the words of those who read them. */
const renderings = {
  flat: (credentials) => credentials,
  /** What AWS's own libraries find in the environment; they know no name for the bucket. */
  aws: ({ accessKeyID, accessSecretKey, endpoint, region, bucketName }) => ({
    AWS_ACCESS_KEY_ID: accessKeyID,
    AWS_SECRET_ACCESS_KEY: accessSecretKey,
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    BUCKET_NAME: bucketName,
  }),
  /** Upstream's v1alpha2. */
  cosi: ({ protocol, bucketName, endpoint, region, accessKeyID, accessSecretKey }, { pathStyle }) => ({
    COSI_PROTOCOL: (protocol ?? "s3").toUpperCase(),
    COSI_S3_BUCKET_ID: bucketName,
    COSI_S3_ENDPOINT: endpoint,
    COSI_S3_REGION: region,
    COSI_S3_ADDRESSING_STYLE: pathStyle ? "path" : "virtual",
    COSI_S3_ACCESS_KEY_ID: accessKeyID,
    COSI_S3_ACCESS_SECRET_KEY: accessSecretKey,
  }),
  /** Upstream's v1alpha1: one document for all. */
  bucketinfo: ({ bucketName, endpoint, region = "", accessKeyID, accessSecretKey, protocol = "s3" }) => ({
    BucketInfo: JSON.stringify({
      metadata: { name: bucketName },
      spec: {
        bucketName,
        authenticationType: "Key",
        secretS3: { endpoint, region, accessKeyID, accessSecretKey },
        secretAzure: null,
        protocols: [protocol],
      },
    }),
  }),
} as const satisfies Readonly<Record<string, Rendering>>;

export type SecretFormat = keyof typeof renderings;

/** The user's Secret. No two formats share a key, so each reader finds its own whatever else is there. */
export function secretData(
  credentials: Credentials,
  formats: readonly SecretFormat[],
  addressing: Addressing = { pathStyle: true },
): SecretData {
  const texts = formats.map((format) => withoutEmpty(renderings[format](credentials, addressing)));
  return Object.fromEntries(
    texts.flatMap(Object.entries<string>).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
  );
}

/** Of a class: in which formats its users have their Secrets. */
export const secretFormatParameter = "cosi.io/secret-format";

export type WantedFormats =
  | { readonly is: "clear"; readonly formats: readonly SecretFormat[] }
  | { readonly is: "unclear"; readonly why: string };

export function formatsIn(parameters: Readonly<Record<string, string>> = {}): WantedFormats {
  const words = (parameters[secretFormatParameter] ?? "flat").split(",").map((word) => word.trim());
  const unknown = words.find((word) => !isFormat(word));
  if (unknown === undefined) return { is: "clear", formats: [...new Set(words.filter(isFormat))] };
  const known = Object.keys(renderings).join(", ");
  return { is: "unclear", why: `${secretFormatParameter} has "${unknown}"; it takes a list of ${known}` };
}

function isFormat(word: string): word is SecretFormat {
  return Object.hasOwn(renderings, word);
}

function withoutEmpty(texts: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => (entry[1] ?? "") !== ""),
  );
}
