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
import { turns } from "./turns.ts";

/** Who may use which bucket. A store has one policy a bucket and no versions of it, so changes take turns. */
export interface Policies {
  /** Lets the user in. One that has another access by the same name is ALREADY_EXISTS. */
  admit(bucket: string, accessKeyID: string, mode: Mode): Promise<void>;
  /** A bucket that is not there lets nobody in. */
  exclude(bucket: string, accessKeyID: string): Promise<void>;
}

export function policiesOf(store: Store): Policies {
  const inTurn = turns();

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
    async admit(bucket, accessKeyID, mode) {
      const principal = store.principalOf(accessKeyID);
      await inTurn.take(bucket, async () => {
        const policy = await store.readPolicy(bucket);
        const has = modeOf(policy, principal);
        if (has === mode) return;
        if (has !== undefined)
          throw new Refusal("ALREADY_EXISTS", `this account has access mode ${has} on ${bucket}, not ${mode}`);
        await write(bucket, withPrincipal(policy, bucket, principal, mode));
      });
    },

    async exclude(bucket, accessKeyID) {
      const principal = store.principalOf(accessKeyID);
      await inTurn.take(bucket, async () => {
        const policy = await policyUnlessGone(store, bucket);
        if (modeOf(policy, principal) === undefined) return;
        await write(bucket, withoutPrincipal(policy, bucket, principal));
      });
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
