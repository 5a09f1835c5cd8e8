import type { Check } from "../check.ts";
import { done, holds } from "../expect.ts";
import { requireDead } from "./dead.ts";

export const revokeChecks: readonly Check[] = [
  {
    name: "revoke-is-idempotent",
    says: "What is revoked, or was never granted, is revoked.",
    next: "Answer OK for an account, or a bucket, that is not there: the call comes again until it is OK.",
    async run(trial) {
      const { calls, parameters } = trial;
      const bucket = await trial.bucket();
      const { bucketId, name: bucketName } = bucket;
      const { accountId } = await bucket.grant();
      for (const what of ["a revoke", "the same revoke again"])
        await done(what, calls.revokeBucketAccess({ bucketId, bucketName, accountId, parameters }));
      const unknown = { bucketId, bucketName, accountName: trial.name(), parameters };
      await done("a revoke of an account that never was", calls.revokeBucketAccess(unknown));
      const nowhere = { bucketName: trial.name(), accountName: trial.name(), parameters };
      await done("a revoke on a bucket that never was", calls.revokeBucketAccess(nowhere));
    },
  },
  {
    name: "revoke-by-account-name",
    says: "An account whose id was never learnt is revoked by its name.",
    next: "Find the account by account_name when account_id is empty: the answer to the grant was lost, and its key is good.",
    async run(trial) {
      const { bucketId, name: bucketName, grant } = await trial.bucket();
      const accountName = trial.name();
      const keys = await grant(accountName);
      const revoked = { bucketId, bucketName, accountName, parameters: trial.parameters };
      await done("a revoke without an account_id", trial.calls.revokeBucketAccess(revoked));
      await requireDead(trial, keys);
    },
  },
  {
    name: "revoke-by-names-alone",
    says: "An account is revoked by its name on a bucket whose id was never learnt either.",
    next: "Find the bucket by bucket_name when bucket_id is empty: the answer to a create with an account was lost.",
    async run(trial) {
      const { name: bucketName, grant } = await trial.bucket();
      const accountName = trial.name();
      const keys = await grant(accountName);
      const revoked = { bucketName, accountName, parameters: trial.parameters };
      await done("a revoke without any id", trial.calls.revokeBucketAccess(revoked));
      await requireDead(trial, keys);
    },
  },
  {
    name: "revoke-without-its-bucket",
    says: "An account whose bucket is gone is revoked.",
    next: "Revoke the account whatever became of its bucket: somebody may delete it on the store itself.",
    async run(trial) {
      const { calls, parameters } = trial;
      const { bucketId, name, grant } = await trial.bucket();
      const { accountId } = await grant();
      await done("a delete", calls.deleteBucket({ bucketId, name, parameters }));
      const revoked = { bucketId, bucketName: name, accountId, parameters };
      await done("a revoke after its bucket is gone", calls.revokeBucketAccess(revoked));
    },
  },
  {
    name: "granted-again-after-a-revoke",
    says: "An account that was revoked can be granted again.",
    next: "A revoke takes everything of an account, so that its name is free.",
    async run(trial) {
      const { bucketId, name: bucketName, grant } = await trial.bucket();
      const accountName = trial.name();
      const { accountId } = await grant(accountName);
      const { parameters } = trial;
      await done(
        "a revoke",
        trial.calls.revokeBucketAccess({ bucketId, bucketName, accountId, accountName, parameters }),
      );
      const again = await grant(accountName);
      holds("an account_id", again.accountId !== "", "an empty one");
    },
  },
];
