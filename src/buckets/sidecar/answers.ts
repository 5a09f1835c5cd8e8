import type {
  CreateBucketResponse,
  Endpoint as EndpointMessage,
  GrantBucketAccessResponse,
} from "../../rpc/gen/buckets_pb.js";

export interface Endpoint {
  readonly url: string;
  readonly region: string;
  readonly protocol: string;
  readonly bucketName: string;
  readonly pathStyle: boolean;
}

/** A bucket that the driver has made, or found made. */
export interface Made {
  readonly id: string;
}

/** Keys that are good. They are never told, and never logged. */
export interface Access {
  readonly accountID: string;
  readonly endpoint: Endpoint;
  readonly credentials: Readonly<Record<string, string>>;
}

/** The driver says that it worked, and what it says cannot be used. */
export class UnfitAnswer extends Error {
  override readonly name = "UnfitAnswer";
}

const longestId = 2048;
const longestWord = 253;
const longestProtocol = 63;
const neededCredentials = ["accessKeyID", "accessSecretKey"] as const;

export function madeIn({ bucketId }: CreateBucketResponse): Made {
  return { id: idOf("bucket_id", bucketId) };
}

/** Undefined when the keys are left to a grant. Keys that nobody asked for belong to an account that nobody could name. */
export function accessOnCreate(
  { accountId, endpoint, credentials }: CreateBucketResponse,
  wereAskedFor: boolean,
): Access | undefined {
  if (accountId === "" && Object.keys(credentials).length === 0) return undefined;
  if (!wereAskedFor) throw new UnfitAnswer("it has keys, and nobody asked for any");
  return accessOf(accountId, endpoint, credentials);
}

export function accessIn({ accountId, endpoint, credentials }: GrantBucketAccessResponse): Access {
  return accessOf(accountId, endpoint, credentials);
}

function accessOf(
  accountId: string,
  endpoint: EndpointMessage | undefined,
  credentials: Readonly<Record<string, string>>,
): Access {
  const missing = neededCredentials.filter((key) => (credentials[key] ?? "") === "");
  if (missing.length > 0) throw new UnfitAnswer(`the credentials lack ${missing.join(", ")}`);
  return {
    accountID: idOf("account_id", accountId),
    endpoint: endpointOf(endpoint),
    credentials: Object.fromEntries(neededCredentials.map((key) => [key, credentials[key] ?? ""])),
  };
}

function endpointOf(endpoint: EndpointMessage | undefined): Endpoint {
  const { url = "", region = "", protocol = "", bucketName = "", pathStyle = false } = endpoint ?? {};
  if (!isAddress(url)) throw new UnfitAnswer("the endpoint's url is no plain http or https address");
  return {
    url: noLonger("the endpoint's url", url),
    region: noLonger("the endpoint's region", region, longestWord),
    protocol: noLonger("the endpoint's protocol", protocol, longestProtocol),
    bucketName: idOf("the endpoint's bucket_name", bucketName),
    pathStyle,
  };
}

/** Everybody may read it, so nothing but a place may be in it. */
function isAddress(url: string): boolean {
  const { protocol = "", username, password, search, hash } = URL.parse(url) ?? {};
  return ["http:", "https:"].includes(protocol) && [username, password, search, hash].every((part) => part === "");
}

function idOf(what: string, id: string): string {
  if (id === "") throw new UnfitAnswer(`${what} is empty`);
  return noLonger(what, id);
}

/** The server would refuse it later, when keys are good already. */
function noLonger(what: string, text: string, most = longestId): string {
  if (text.length > most) throw new UnfitAnswer(`${what} is longer than ${most} characters`);
  return text;
}
