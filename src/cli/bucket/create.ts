import { Failure } from "../../api/failure.ts";
import { type Bucket, bucketClasses, buckets } from "../../api/gen/cosi.ts";
import type { Stored } from "../../api/object.ts";
import { ApiError } from "../../kube/errors.ts";
import { confirm } from "../kubectl/confirm.ts";
import { eyesOf } from "../kubectl/eyes.ts";
import type { DryRun } from "../kubectl/flags.ts";
import { send } from "../kubectl/send.ts";
import type { Session } from "../kubectl/session.ts";
import { planOf } from "./plan.ts";

/** Says what will happen and does it; undefined when it was only a rehearsal. */
export async function createBucket(
  session: Session,
  bucket: Bucket,
  { isAgreed, dryRun }: { readonly isAgreed: boolean; readonly dryRun: DryRun },
): Promise<Stored<Bucket> | undefined> {
  const { lines, isWhole } = await planOf(bucket, eyesOf(session.client));
  return await inOurWords(bucket, async () => {
    if (dryRun !== "client") await session.client.create(buckets, bucket, { dryRun: true });
    await confirm(session.terminal, lines, isAgreed || isWhole || dryRun !== "none");
    return await send(session, buckets, bucket, dryRun);
  });
}

const usePolicy = "portway-bucketclass-use";

/** Whom to ask for the right to use a class, the policy cannot say. */
async function inOurWords<R>({ spec }: Bucket, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.deniedBy !== usePolicy) throw problem;
    const right = `${bucketClasses.plural}.${bucketClasses.group}/${spec.bucketClassName}`;
    throw new Failure(problem.message, `This shows whether you have it: kubectl auth can-i use ${right}.`, {
      cause: problem,
    });
  }
}
