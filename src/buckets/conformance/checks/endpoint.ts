import type { Endpoint } from "../../../rpc/gen/buckets_pb.js";
import { holds } from "../expect.ts";

/** Where a tenant finds its bucket. */
export function requireEndpoint(endpoint: Endpoint | undefined, protocols: readonly string[]): void {
  const { url = "", protocol = "", bucketName = "" } = endpoint ?? {};
  holds("an endpoint with a url", URL.canParse(url), JSON.stringify(url));
  holds("an endpoint with a bucket_name", bucketName !== "", "an empty one");
  holds(
    `an endpoint with a protocol of ${protocols.join(", ")}`,
    protocols.includes(protocol),
    JSON.stringify(protocol),
  );
}
