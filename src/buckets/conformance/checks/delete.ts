import { Capability } from "../../../rpc/gen/buckets_pb.js";
import type { Check } from "../check.ts";
import { done, refused } from "../expect.ts";
import type { Trial } from "../trial.ts";
import { doesNotAnnounce } from "./needs.ts";

export const deleteChecks: readonly Check[] = [
  {
    name: "delete-is-idempotent",
    says: "What is deleted, or was never there, is deleted.",
    next: "Answer OK for a bucket that is not there: the call comes again until it is OK.",
    async run(trial) {
      const { calls, parameters } = trial;
      const { bucketId, name } = await trial.bucket();
      for (const what of ["a delete", "the same delete again"])
        await done(what, calls.deleteBucket({ bucketId, name, parameters }));
      await requireGone(trial, bucketId);
      await done("a delete of a bucket that never was", calls.deleteBucket({ name: trial.name(), parameters }));
    },
  },
  {
    name: "delete-by-name",
    says: "A bucket whose id was never learnt is deleted by its name.",
    next: "Find the bucket by name when bucket_id is empty: the answer to CreateBucket was lost, and the bucket is there.",
    async run(trial) {
      const { bucketId, name } = await trial.bucket();
      await done("a delete without a bucket_id", trial.calls.deleteBucket({ name, parameters: trial.parameters }));
      await requireGone(trial, bucketId);
    },
  },
  {
    name: "unannounced-purge-is-refused",
    says: "A purge that the driver cannot do is refused.",
    next: "Answer INVALID_ARGUMENT, and leave the bucket as it is.",
    untried: doesNotAnnounce(Capability.PURGE),
    async run(trial) {
      const { bucketId, name } = await trial.bucket();
      const call = trial.calls.deleteBucket({ bucketId, name, purge: true, parameters: trial.parameters });
      await refused("purge without CAPABILITY_PURGE", call, "INVALID_ARGUMENT");
    },
  },
];

async function requireGone({ calls, parameters, name }: Trial, bucketId: string): Promise<void> {
  const call = calls.grantBucketAccess({ bucketId, accountName: name(), parameters });
  await refused("a grant on a bucket that was deleted", call, "NOT_FOUND");
}
