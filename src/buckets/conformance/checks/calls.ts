import { codeOf } from "../../../rpc/errors.ts";
import { BucketDriver } from "../../../rpc/gen/buckets_pb.js";
import type { Check } from "../check.ts";
import { alike, done, holds, refused } from "../expect.ts";

const shortSeconds = [0.001, 0.005, 0.02, 0.05, 0.1] as const;

export const callChecks: readonly Check[] = [
  {
    name: "empty-requests-are-refused",
    says: "Requests without names and ids are refused in words, and the driver goes on.",
    next: "Answer INVALID_ARGUMENT when what a request is about is missing; an exception must not end the process.",
    async run({ calls, parameters, name, ...trial }) {
      const code = "INVALID_ARGUMENT";
      await refused("CreateBucket without a name", calls.createBucket({ parameters }), code);
      await refused("GrantBucketAccess without a bucket", calls.grantBucketAccess({ accountName: name() }), code);
      const { bucketId, name: bucketName } = await trial.bucket();
      await refused("GrantBucketAccess without an account", calls.grantBucketAccess({ bucketId, parameters }), code);
      await refused("RevokeBucketAccess without anything", calls.revokeBucketAccess({}), code);
      const nobody = calls.revokeBucketAccess({ bucketId, bucketName, parameters });
      await refused("RevokeBucketAccess without an account", nobody, code);
      await refused("DeleteBucket without anything", calls.deleteBucket({}), code);
      await done("GetDriverInfo after all that", calls.getDriverInfo({}));
    },
  },
  {
    name: "unknown-methods-are-unimplemented",
    says: "A method that the driver does not know is UNIMPLEMENTED.",
    next: "Serve buckets.proto by a gRPC library as it is; newer callers ask for newer methods, and read this code.",
    async run({ raw, calls }) {
      const path = `/${BucketDriver.typeName}/NoSuchMethod`;
      const came = await raw.send(path, new Uint8Array(), new Date(Date.now() + 30_000)).then(
        () => "OK",
        ({ code }: { readonly code: number }) => codeOf(code),
      );
      holds("UNIMPLEMENTED for a method that nobody knows", came === "UNIMPLEMENTED", came);
      await done("GetDriverInfo after that", calls.getDriverInfo({}));
    },
  },
  {
    name: "deadlines-do-no-harm",
    says: "A call whose caller has gone leaves nothing that the same call, or its names, do not find again.",
    next: "What a call has begun must be found by its name. End it, or undo it; never make it a second time.",
    async run(trial) {
      const { calls, parameters } = trial;
      for (const timeoutSeconds of shortSeconds) {
        const asked = { name: trial.name(), parameters };
        await calls.createBucket(asked, { timeoutSeconds }).catch(() => undefined);
        const { bucketId, grant, ...made } = await trial.bucket(asked);
        alike("a repeated CreateBucket", await trial.bucket(asked), { bucketId, endpoint: made.endpoint });
        const accountName = trial.name();
        const account = { bucketId, accountName, parameters };
        await calls.grantBucketAccess(account, { timeoutSeconds }).catch(() => undefined);
        await grant(accountName);
      }
      await done("GetDriverInfo after that", calls.getDriverInfo({}));
    },
  },
];
