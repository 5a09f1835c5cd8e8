import { RpcError } from "../../rpc/errors.ts";
import type { BucketDriver } from "../../rpc/gen/buckets_pb.js";
import type { Calls } from "../../rpc/grpc.ts";
import type { Access } from "./keys-on-store.ts";

/** What a driver may have made, by whatever is known of it. */
export interface MadeBucket {
  readonly name: string;
  readonly ids: Set<string>;
}

export interface MadeAccount {
  readonly name: string;
  readonly bucketId: string;
  /** Of a bucket that the kit has made. */
  readonly bucketName: string;
  readonly ids: Set<string>;
}

export interface Remembered {
  readonly buckets: readonly MadeBucket[];
  readonly accounts: readonly MadeAccount[];
  /** Buckets by the names that the store has for them, each with what was put there. */
  readonly objects: ReadonlyMap<string, ReadonlySet<string>>;
  wrote(keys: Access, key: string): void;
}

type Driver = Calls<typeof BucketDriver>;

/** The same calls, and what may have come of them: also of those whose answer was lost. */
export function remembering(driver: Driver): { readonly calls: Driver; readonly remembered: Remembered } {
  const buckets = new Map<string, MadeBucket>();
  const accounts = new Map<string, MadeAccount>();
  const objects = new Map<string, Set<string>>();
  const bucketOf = (name: string) => entry(buckets, name, () => ({ name, ids: new Set() }));
  const nameOf = (id: string) => [...buckets.values()].find(({ ids }) => ids.has(id))?.name ?? "";
  const accountOf = (name: string, bucketId: string, bucketName = nameOf(bucketId)) =>
    entry(accounts, name, () => ({ name, bucketId, bucketName, ids: new Set() }));

  const calls: Driver = {
    ...driver,
    async createBucket(request, options) {
      const { name = "", accountName = "" } = request;
      return await unlessRefused(driver.createBucket(request, options), (answer) => {
        const bucket = bucketOf(name);
        if (answer !== undefined) bucket.ids.add(answer.bucketId);
        if (accountName === "") return;
        const account = accountOf(accountName, answer?.bucketId ?? "", name);
        if (answer !== undefined) account.ids.add(answer.accountId);
      });
    },
    async grantBucketAccess(request, options) {
      const { bucketId = "", accountName = "" } = request;
      return await unlessRefused(driver.grantBucketAccess(request, options), (answer) => {
        const account = accountOf(accountName, bucketId);
        if (answer !== undefined) account.ids.add(answer.accountId);
      });
    },
  };
  const remembered: Remembered = {
    get buckets() {
      return [...buckets.values()];
    },
    get accounts() {
      return [...accounts.values()];
    },
    objects,
    wrote({ endpoint }, key) {
      entry(objects, endpoint?.bucketName ?? "", () => new Set<string>()).add(key);
    },
  };
  return { calls, remembered };
}

/** A refusal has made nothing, and nothing is made in what is not there. Of everything else something may be left. */
async function unlessRefused<T>(call: Promise<T>, remember: (answer: T | undefined) => void): Promise<T> {
  try {
    const answer = await call;
    remember(answer);
    return answer;
  } catch (problem) {
    const isNothing = problem instanceof RpcError && (problem.trouble === "refused" || problem.code === "NOT_FOUND");
    if (!isNothing) remember(undefined);
    throw problem;
  }
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
