import { RpcError } from "../../rpc/errors.ts";
import { AccessMode, Capability } from "../../rpc/gen/buckets_pb.js";
import { Finding } from "./check.ts";
import { inWords } from "./expect.ts";
import type { MadeAccount, MadeBucket } from "./made.ts";
import type { Trial } from "./trial.ts";

/** Gives back all that a check may have made, whatever became of it. Answers what is left, in words. */
export async function cleanUp(trial: Trial): Promise<readonly string[]> {
  const { accounts, buckets } = trial.made;
  const left: string[] = [];
  const attempt = async (what: string, work: () => Promise<void>) => {
    const why = await failureOf(work);
    if (why !== undefined) left.push(`${what} (${why})`);
  };
  for (const bucket of buckets) await attempt(`objects in ${bucket.name}`, async () => await emptied(trial, bucket));
  for (const account of accounts) await attempt(`account ${account.name}`, async () => await revoked(trial, account));
  for (const bucket of buckets) await attempt(`bucket ${bucket.name}`, async () => await deleted(trial, bucket));
  return left;
}

async function revoked({ calls, parameters }: Trial, { name, bucketId, bucketName, ids }: MadeAccount): Promise<void> {
  for (const accountId of known(ids))
    await calls.revokeBucketAccess({ bucketId, bucketName, accountId, accountName: name, parameters });
}

async function deleted({ calls, parameters, has }: Trial, { name, ids }: MadeBucket): Promise<void> {
  const purge = has(Capability.PURGE);
  for (const bucketId of known(ids)) await calls.deleteBucket({ bucketId, name, purge, parameters });
}

/** By a tenant, for a driver that cannot do it. */
async function emptied(trial: Trial, { ids }: MadeBucket): Promise<void> {
  if (trial.has(Capability.PURGE) || trial.made.objects.size === 0) return;
  for (const bucketId of ids) {
    const account = { bucketId, accountName: trial.name(), accessMode: AccessMode.READ_WRITE };
    const keys = await trial.calls.grantBucketAccess({ ...account, parameters: trial.parameters });
    for (const key of trial.made.objects.get(keys.endpoint?.bucketName ?? "") ?? [])
      await trial.as(keys, { method: "DELETE", key });
  }
}

function known(ids: ReadonlySet<string>): readonly string[] {
  const good = [...ids].filter((id) => id !== "");
  return good.length === 0 ? [""] : good;
}

async function failureOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (problem) {
    if (problem instanceof RpcError) return problem.code === "NOT_FOUND" ? undefined : inWords(problem);
    if (problem instanceof Finding) return problem.came;
    throw problem;
  }
}
