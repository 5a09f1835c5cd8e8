import { AccessMode, Capability } from "../../../rpc/gen/buckets_pb.js";
import type { Check } from "../check.ts";
import { alike, done, holds, refused } from "../expect.ts";
import type { Access } from "../keys-on-store.ts";
import { atOnce } from "./at-once.ts";
import { requireEndpoint } from "./endpoint.ts";
import { announces, doesNotAnnounce } from "./needs.ts";

const neededCredentials = ["accessKeyID", "accessSecretKey"] as const;
const limited = [AccessMode.READ_ONLY, AccessMode.WRITE_ONLY] as const;

export const grantChecks: readonly Check[] = [
  {
    name: "grant-answers-whole",
    says: "A grant answers an account, its credentials and the endpoint of the bucket.",
    next: "Answer account_id, accessKeyID, accessSecretKey and the endpoint: they become the tenant's Secret.",
    async run(trial) {
      const granted = await (await trial.bucket()).grant();
      holds("an account_id", granted.accountId !== "", "an empty one");
      requireCredentials(granted);
      requireEndpoint(granted.endpoint, trial.info.protocols);
    },
  },
  {
    name: "grant-is-idempotent",
    says: "An account that is asked for twice is one account, with the same keys.",
    next: "Derive the keys from the account's name and a key of your own, or keep them: a lost answer is asked for again.",
    async run(trial) {
      const bucket = await trial.bucket();
      const name = trial.name();
      const first = await bucket.grant(name);
      for (const _ of [1, 2]) alike("a repeated GrantBucketAccess", await bucket.grant(name), first);
    },
  },
  {
    name: "grant-at-once",
    says: "An account that many ask for at the same moment is one account.",
    next: "Let grants of one account take turns, or answer ABORTED to the later ones: they are asked again.",
    async run(trial) {
      const { bucketId } = await trial.bucket();
      const asked = { bucketId, accountName: trial.name(), parameters: trial.parameters };
      await atOnce(() => trial.calls.grantBucketAccess(asked));
    },
  },
  {
    name: "accounts-are-apart",
    says: "Two accounts of one bucket have ids and keys of their own.",
    next: "Make an account for each name: whoever revokes one must not reach the other.",
    async run(trial) {
      const bucket = await trial.bucket();
      const [one, other] = [await bucket.grant(), await bucket.grant()];
      holds("another account_id", one.accountId !== other.accountId, "the same one");
      for (const key of neededCredentials)
        holds(`another ${key}`, one.credentials[key] !== other.credentials[key], "the same one");
    },
  },
  {
    name: "grant-in-another-mode-is-refused",
    says: "An account cannot become one of another access mode.",
    next: "Answer ALREADY_EXISTS: whoever has the keys of an account must not get more by a second question.",
    untried: announces(Capability.ACCESS_MODES),
    async run(trial) {
      const bucket = await trial.bucket();
      const accountName = trial.name();
      await bucket.grant(accountName, AccessMode.READ_ONLY);
      const { bucketId } = bucket;
      const accessMode = AccessMode.READ_WRITE;
      const again = trial.calls.grantBucketAccess({ bucketId, accountName, accessMode, parameters: trial.parameters });
      await refused("the same account in another mode", again, "ALREADY_EXISTS");
    },
  },
  {
    name: "unannounced-mode-is-refused",
    says: "An access mode that the driver cannot enforce is refused.",
    next: "Answer INVALID_ARGUMENT: whoever asks for keys that only read must not get keys that write.",
    untried: doesNotAnnounce(Capability.ACCESS_MODES),
    async run(trial) {
      const { bucketId } = await trial.bucket();
      for (const accessMode of limited) {
        const asked = { bucketId, accountName: trial.name(), accessMode, parameters: trial.parameters };
        const what = `${AccessMode[accessMode]} without CAPABILITY_ACCESS_MODES`;
        await refused(what, trial.calls.grantBucketAccess(asked), "INVALID_ARGUMENT");
      }
    },
  },
  {
    name: "grant-without-a-bucket-is-refused",
    says: "A grant on a bucket that is not there is NOT_FOUND.",
    next: "Answer NOT_FOUND, or a class with a wrong bucketIdentifier gives keys to nothing.",
    async run({ calls, parameters, name }) {
      const call = calls.grantBucketAccess({ bucketId: name(), accountName: name(), parameters });
      await refused("a grant on a bucket that is not there", call, "NOT_FOUND");
    },
  },
  {
    name: "existing-bucket-is-granted-by-name",
    says: "A bucket that was there before is granted by the name that the store has for it.",
    next: "Take the bucket_name of an endpoint as a bucket_id too: that is what a class's bucketIdentifier holds.",
    async run(trial) {
      const { endpoint } = await (await trial.bucket()).grant();
      const asked = { bucketId: endpoint?.bucketName ?? "", accountName: trial.name(), parameters: trial.parameters };
      await done("a grant by the bucket_name of the endpoint", trial.calls.grantBucketAccess(asked));
    },
  },
  {
    name: "create-grants-as-announced",
    says: "A bucket that is made with an account has the keys that a grant to it would answer, whenever it is asked for.",
    next: "Make the bucket, then grant, inside one call; or take CAPABILITY_GRANTS_ON_CREATE away, and grants are asked for.",
    untried: announces(Capability.GRANTS_ON_CREATE),
    async run(trial) {
      const [accountName, accessMode] = [trial.name(), AccessMode.READ_WRITE];
      const first = await trial.bucket({ accountName, accessMode });
      holds("an account_id", first.accountId !== "", "an empty one");
      requireCredentials(first);
      const { name, grant } = first;
      alike("a repeated CreateBucket with an account", await trial.bucket({ name, accountName, accessMode }), first);
      alike("a grant to the account of CreateBucket", await grant(accountName, accessMode), first);
    },
  },
];

function requireCredentials({ credentials }: Access): void {
  const missing = neededCredentials.filter((key) => (credentials[key] ?? "") === "");
  holds(
    `credentials with ${neededCredentials.join(" and ")}`,
    missing.length === 0,
    `none for ${missing.join(" and ")}`,
  );
}
