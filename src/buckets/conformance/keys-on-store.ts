import type { GrantBucketAccessResponse } from "../../rpc/gen/buckets_pb.js";
import { ask, type StoreRequest } from "../driver/s3/request.ts";
import { Refusal } from "../driver/sdk/refusal.ts";
import { StoreRefusal } from "../driver/store/store-error.ts";
import { Finding } from "./check.ts";

/** What a tenant gets: an answer of a grant, or of a create with an account. */
export type Access = Pick<GrantBucketAccessResponse, "endpoint" | "credentials">;
export type Request = Omit<StoreRequest, "what" | "bucket" | "path">;

/** What a store answered a tenant. */
export interface Heard {
  readonly status: number;
  /** The code of S3; empty for a success. */
  readonly code: string;
  readonly text: string;
}

/** The bucket of an answer, as the program of a tenant reaches it: by the endpoint and the keys that it was given. */
export function storeFor({ endpoint, credentials }: Access, timeoutSeconds: number) {
  const { url = "", region = "", bucketName = "", pathStyle = false } = endpoint ?? {};
  const { accessKeyID = "", accessSecretKey = "" } = credentials;
  const place = { url: new URL(url), region, keys: { accessKeyID, accessSecretKey }, timeoutSeconds };
  if (!pathStyle) place.url.hostname = `${bucketName}.${place.url.hostname}`;
  return {
    async hear(request: Request): Promise<Heard> {
      const what = `${request.method} ${bucketName}/${request.key ?? ""}`;
      try {
        const text = await ask(place, { what, ...(pathStyle ? { bucket: bucketName } : { path: "" }), ...request });
        return { status: 200, code: "", text };
      } catch (problem) {
        if (problem instanceof StoreRefusal) return { ...problem.answer, text: "" };
        if (problem instanceof Refusal) throw new Finding(`an answer of the store at ${url}`, problem.message);
        throw problem;
      }
    },
  };
}
