import { Refusal } from "../sdk/refusal.ts";
import type { Store } from "../store/store.ts";
import {
  keepingPrincipals,
  type Mode,
  modeOf,
  type PolicyDocument,
  withoutPrincipal,
  withPrincipal,
} from "./policy.ts";
import type { Keys } from "./sigv4.ts";

/** Users, and what the policy of a bucket lets them do. A policy has no version: whoever calls has the bucket's turn. */
export interface Accounts {
  /** Makes the user and lets it in. One that has another access by the same keys is ALREADY_EXISTS. */
  admit(bucket: string, keys: Keys, mode: Mode, signal: AbortSignal): Promise<void>;
  /** Neither the user nor the bucket needs to be there. */
  expel(bucket: string, accessKeyID: string): Promise<void>;
}

export function accountsOn(store: Store): Accounts {
  async function write(bucket: string, policy: PolicyDocument | undefined): Promise<void> {
    if (await store.writePolicy(bucket, policy)) return;
    // A user that somebody deleted by hand is still named. It would make the store refuse every change from now on.
    const known = new Set([...(await store.listUsers())].map((id) => store.principalOf(id)));
    const clean = keepingPrincipals(policy, bucket, (principal) => known.has(principal));
    if (await store.writePolicy(bucket, clean)) return;
    throw new Refusal(
      "FAILED_PRECONDITION",
      `the policy of ${bucket} names a user that is gone: take that one out of it`,
    );
  }

  return {
    // The user first: a store takes no policy that names somebody it does not know. Until then it may do nothing.
    async admit(bucket, keys, mode, signal) {
      const principal = store.principalOf(keys.accessKeyID);
      const policy = await store.readPolicy(bucket);
      const has = modeOf(policy, principal);
      if (has !== undefined && has !== mode)
        throw new Refusal("ALREADY_EXISTS", `this account has access mode ${has} on ${bucket}, not ${mode}`);
      signal.throwIfAborted();
      await store.ensureUser(keys);
      if (has === undefined) await write(bucket, withPrincipal(policy, bucket, principal, mode));
    },

    /**
     * Out of the policy first: a store may remember a deleted user for minutes, and then the keys must be good for nothing.
     * Whatever is wrong with the policy, which others write too, the user goes.
     */
    async expel(bucket, accessKeyID) {
      try {
        const policy = await policyUnlessGone(store, bucket);
        const principal = store.principalOf(accessKeyID);
        if (modeOf(policy, principal) !== undefined) await write(bucket, withoutPrincipal(policy, bucket, principal));
      } finally {
        await store.deleteUser(accessKeyID);
      }
    },
  };
}

async function policyUnlessGone(store: Store, bucket: string): Promise<PolicyDocument | undefined> {
  try {
    return await store.readPolicy(bucket);
  } catch (problem) {
    if (problem instanceof Refusal && problem.code === "NOT_FOUND") return undefined;
    throw problem;
  }
}
