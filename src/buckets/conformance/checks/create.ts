import { Capability } from "../../../rpc/gen/buckets_pb.js";
import type { Check } from "../check.ts";
import { alike, done, holds, refused } from "../expect.ts";
import { atOnce } from "./at-once.ts";
import { requireEndpoint } from "./endpoint.ts";
import { announces, doesNotAnnounce } from "./needs.ts";

const longestId = 2048;
/** No store takes these. */
const badNames = ["Not a bucket!", "no/bucket", "x".repeat(300)];

export const createChecks: readonly Check[] = [
  {
    name: "create-answers-whole",
    says: "A new bucket has an id, and an endpoint that a tenant can use.",
    next: "Answer bucket_id (at most 2048 characters), url, protocol and bucket_name: they become the tenant's Secret.",
    async run(trial) {
      const { bucketId, endpoint } = await trial.bucket();
      holds("a bucket_id", bucketId !== "", "an empty one");
      holds(`a bucket_id of at most ${longestId} characters`, bucketId.length <= longestId, `${bucketId.length}`);
      requireEndpoint(endpoint, trial.info.protocols);
    },
  },
  {
    name: "create-is-idempotent",
    says: "A bucket that is asked for twice is one bucket, with the same answer.",
    next: "The name is the key: look for it before you make one. A lost answer is asked for again, and would leak a bucket.",
    async run(trial) {
      const first = await trial.bucket();
      for (const _ of [1, 2]) alike("a repeated CreateBucket", await trial.bucket({ name: first.name }), first);
    },
  },
  {
    name: "create-at-once",
    says: "A bucket that many ask for at the same moment is one bucket.",
    next: "Let calls for one name take turns, or answer ABORTED to the later ones: they are asked again.",
    async run(trial) {
      const asked = { name: trial.name(), parameters: trial.parameters };
      await atOnce(() => trial.calls.createBucket(asked));
    },
  },
  {
    name: "create-in-another-way-is-refused",
    says: "The name of a bucket with other parameters is refused.",
    next: "Answer ALREADY_EXISTS when a bucket of that name was made in another way, INVALID_ARGUMENT for what means nothing.",
    async run(trial) {
      const { name } = await trial.bucket();
      const parameters = { ...trial.parameters, "conformance.portway.dev/other": "yes" };
      const again = trial.calls.createBucket({ name, parameters });
      await refused("the same name and other parameters", again, "ALREADY_EXISTS", "INVALID_ARGUMENT");
    },
  },
  {
    name: "create-with-a-bad-name-is-refused",
    says: "A name that no bucket can have is refused in words.",
    next: "Check names before you ask the store, and answer INVALID_ARGUMENT. A name that is made fit by you is another name.",
    async run({ calls, parameters }) {
      for (const name of badNames)
        await refused(
          `the name ${JSON.stringify(name).slice(0, 40)}`,
          calls.createBucket({ name, parameters }),
          "INVALID_ARGUMENT",
        );
    },
  },
  {
    name: "what-was-refused-is-given-back",
    says: "Whoever was refused a bucket can revoke and delete by its name.",
    next: "Answer OK to a revoke and a delete of what can never have been, or the tenant's Bucket can never be deleted.",
    async run({ calls, parameters, name: fresh }) {
      const accountName = fresh();
      for (const name of badNames) {
        const revoked = calls.revokeBucketAccess({ bucketName: name, accountName, parameters });
        await done("a revoke on a bucket that was refused", revoked);
        await done("a delete of a bucket that was refused", calls.deleteBucket({ name, parameters }));
      }
    },
  },
  {
    name: "unannounced-quota-is-refused",
    says: "A quota that the driver cannot keep is refused.",
    next: "Answer INVALID_ARGUMENT: an administrator believes in a quota that is accepted.",
    untried: doesNotAnnounce(Capability.QUOTA),
    async run({ calls, parameters, name }) {
      const call = calls.createBucket({ name: name(), parameters, quota: { maxBytes: 1_000_000n } });
      await refused("a quota without CAPABILITY_QUOTA", call, "INVALID_ARGUMENT");
    },
  },
  {
    name: "another-quota-is-refused",
    says: "The name of a bucket with another quota is refused.",
    next: "The quota is part of what was asked for: compare it when the name is there, and answer ALREADY_EXISTS.",
    untried: announces(Capability.QUOTA),
    async run(trial) {
      const { name } = await trial.bucket({ quota: { maxBytes: 1_000_000n, maxObjects: 10n } });
      const quota = { maxBytes: 2_000_000n, maxObjects: 10n };
      const again = trial.calls.createBucket({ name, parameters: trial.parameters, quota });
      await refused("the same name and another quota", again, "ALREADY_EXISTS");
    },
  },
];
