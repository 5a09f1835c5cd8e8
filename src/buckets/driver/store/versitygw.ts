import type { PolicyDocument } from "../s3/policy.ts";
import { ask, type StorePlace, type StoreRequest } from "../s3/request.ts";
import { element, elements, escaped, textOf } from "../s3/xml.ts";
import { Refusal } from "../sdk/refusal.ts";
import { purge } from "./purge.ts";
import type { Store } from "./store.ts";
import { refusalOf, StoreRefusal } from "./store-error.ts";

export interface VersitygwPlace extends StorePlace {
  /** Where users are made; the store's own address unless it has another for that. */
  readonly adminUrl: URL;
}

/** A versitygw: S3 for buckets and policies, and its own calls for users. Its principals are access keys. */
export function versitygw(place: VersitygwPlace): Store {
  /** For the codes in `but` it answers that code, for everything else it throws what a caller can use. */
  async function send(
    request: StoreRequest,
    ...but: readonly string[]
  ): Promise<{ readonly text: string; readonly code: string }> {
    try {
      return {
        text: await ask(request.path === undefined ? place : { ...place, url: place.adminUrl }, request),
        code: "",
      };
    } catch (problem) {
      if (!(problem instanceof StoreRefusal)) throw problem;
      if (problem.is(...but)) return { text: "", code: problem.answer.code };
      throw refusalOf(problem);
    }
  }

  const user = async (call: string, what: string, rest: Partial<StoreRequest>, ...but: readonly string[]) =>
    await send({ what, method: "PATCH", path: call, ...rest }, ...but);

  return {
    async createBucket(bucket) {
      await send({ what: `create the bucket ${bucket}`, method: "PUT", bucket }, "BucketAlreadyOwnedByYou");
    },

    // By GET: the answer to a HEAD has no code, so that a refusal would look like any other.
    async headBucket(bucket) {
      const what = `look for the bucket ${bucket}`;
      const { code } = await send({ what, method: "GET", bucket, query: { location: "" } }, "NoSuchBucket");
      return code === "";
    },

    async deleteBucket(bucket) {
      await send({ what: `delete the bucket ${bucket}`, method: "DELETE", bucket }, "NoSuchBucket");
    },

    async emptyBucket(bucket, signal) {
      await purge(async (request) => (await send(request)).text, bucket, signal);
    },

    async readPolicy(bucket) {
      const request = { what: `read the policy of ${bucket}`, method: "GET", bucket, query: { policy: "" } };
      const { text, code } = await send(request, "NoSuchBucketPolicy");
      return code === "" ? (JSON.parse(text) as PolicyDocument) : undefined;
    },

    async writePolicy(bucket, policy) {
      const common = { what: `write the policy of ${bucket}`, bucket, query: { policy: "" } };
      try {
        if (policy === undefined) await send({ ...common, method: "DELETE" });
        else await send({ ...common, method: "PUT", body: JSON.stringify(policy) });
        return true;
      } catch (problem) {
        if (problem instanceof Refusal && problem.message.includes("Invalid principal in policy")) return false;
        throw problem;
      }
    },

    async ensureUser({ accessKeyID, accessSecretKey }) {
      const may = [element("Secret", escaped(accessSecretKey)), element("Role", "user")];
      const made = element("Account", element("Access", accessKeyID), ...may);
      const { code } = await user("create-user", `make the user ${accessKeyID}`, { body: made }, "XAdminUserExists");
      if (code === "") return;
      const changed = { body: element("MutableProps", ...may), query: { access: accessKeyID } };
      await user("update-user", `give the user ${accessKeyID} its keys`, changed);
    },

    async deleteUser(accessKeyID) {
      const what = `delete the user ${accessKeyID}`;
      await user("delete-user", what, { query: { access: accessKeyID } }, "XAdminUserNotFound");
    },

    async listUsers() {
      const { text } = await user("list-users", "list the users", {});
      return new Set(elements(text, "Accounts").map((one) => textOf(one, "Access") ?? ""));
    },

    principalOf: (accessKeyID) => accessKeyID,
  };
}
