import { setTimeout as sleep } from "node:timers/promises";
import { AccessMode, Capability } from "../../../rpc/gen/buckets_pb.js";
import type { Check } from "../check.ts";
import { done, holds, refused } from "../expect.ts";
import type { Access, Heard, Request } from "../keys-on-store.ts";
import type { Trial } from "../trial.ts";
import { requireDead } from "./dead.ts";
import { all, announces, asksStore } from "./needs.ts";

const key = "folder/an object & more.txt";
const put = { method: "PUT", key, body: "hello" } as const;
const get = { method: "GET", key } as const;
/** What was given up and comes later than this is found by nobody. */
const lateMilliseconds = 2000;
const list = { method: "GET", query: { "list-type": "2" } } as const;
const remove = { method: "DELETE", key } as const;

/** What keys are worth is found out on the store itself, by real requests. */
export const keyChecks: readonly Check[] = [
  {
    name: "keys-work",
    says: "Keys write, read, list and delete objects.",
    next: "See that a grant answers when its keys are good, and that the endpoint is the one that tenants reach.",
    untried: asksStore,
    async run(trial) {
      const keys = await (await trial.bucket()).grant();
      await allowed(trial, keys, put);
      const { text } = await allowed(trial, keys, get);
      holds("the object as it was written", text === put.body, "another one");
      const { text: listed } = await allowed(trial, keys, list);
      holds("a list with the object", listed.includes("folder/an object"), "one without it");
      await allowed(trial, keys, remove);
      const { status } = await trial.as(keys, get);
      holds("404 for an object that was deleted", status === 404, String(status));
    },
  },
  {
    name: "keys-open-one-bucket",
    says: "Keys of one bucket open no other.",
    next: "Limit the account to its bucket: every tenant has a key to something.",
    untried: asksStore,
    async run(trial) {
      const [mine, theirs] = [await trial.bucket(), await trial.bucket()];
      const [keys, others] = [await mine.grant(), await theirs.grant()];
      await allowed(trial, others, put);
      const stolen = { ...others, credentials: keys.credentials };
      for (const request of [get, put, list, remove]) await denied(trial, stolen, request, "keys of another bucket");
    },
  },
  {
    name: "read-only-keys-only-read",
    says: "Keys that are read-only read, and get 403 for everything else.",
    next: "Enforce READ_ONLY in the store, or take CAPABILITY_ACCESS_MODES away: then it is refused.",
    untried: all(asksStore, announces(Capability.ACCESS_MODES)),
    async run(trial) {
      const bucket = await trial.bucket();
      const [writer, reader] = [await bucket.grant(), await bucket.grant(trial.name(), AccessMode.READ_ONLY)];
      await allowed(trial, writer, put);
      await allowed(trial, reader, get);
      for (const request of [put, remove]) await denied(trial, reader, request, "read-only keys");
    },
  },
  {
    name: "write-only-keys-only-write",
    says: "Keys that are write-only write, and get 403 for reading.",
    next: "Enforce WRITE_ONLY in the store, or take CAPABILITY_ACCESS_MODES away: then it is refused.",
    untried: all(asksStore, announces(Capability.ACCESS_MODES)),
    async run(trial) {
      const keys = await (await trial.bucket()).grant(trial.name(), AccessMode.WRITE_ONLY);
      await allowed(trial, keys, put);
      for (const request of [get, list]) await denied(trial, keys, request, "write-only keys");
    },
  },
  {
    name: "revoked-keys-are-dead",
    says: "The first request after a revoke gets 403, and the other account of the bucket goes on.",
    next: "Answer OK to a revoke only when the store refuses the keys; reach only the account that was named.",
    untried: asksStore,
    async run(trial) {
      const { bucketId, name: bucketName, grant } = await trial.bucket();
      const [one, other] = [await grant(), await grant()];
      await allowed(trial, one, put);
      const revoked = { bucketId, bucketName, accountId: one.accountId, parameters: trial.parameters };
      await done("a revoke", trial.calls.revokeBucketAccess(revoked));
      await requireDead(trial, one);
      await allowed(trial, other, get);
    },
  },
  {
    name: "late-grants-revive-nothing",
    says: "A grant that was given up does not bring back the keys that a later revoke took.",
    next: "Let a revoke wait until grants on the same bucket have ended, and end those whose caller has gone.",
    untried: asksStore,
    async run(trial) {
      const { bucketId, name: bucketName, grant } = await trial.bucket();
      const [accountName, { parameters }] = [trial.name(), trial];
      const keys = await grant(accountName);
      const account = { bucketId, accountName, accessMode: AccessMode.READ_WRITE, parameters };
      for (const timeoutSeconds of [0.002, 0.005, 0.01, 0.02, 0.05]) {
        await trial.calls.grantBucketAccess(account, { timeoutSeconds }).catch(() => undefined);
        await done("a revoke", trial.calls.revokeBucketAccess({ bucketId, bucketName, accountName, parameters }));
        await requireDead(trial, keys);
      }
      await sleep(lateMilliseconds);
      await requireDead(trial, keys);
    },
  },
  {
    name: "objects-keep-their-bucket",
    says: "A bucket that holds an object is deleted only by a purge.",
    next: "Answer FAILED_PRECONDITION when purge is not set: whoever keeps its data must never lose it.",
    untried: asksStore,
    async run(trial) {
      const { bucketId, name, grant } = await trial.bucket();
      const keys = await grant();
      await allowed(trial, keys, put);
      const call = trial.calls.deleteBucket({ bucketId, name, parameters: trial.parameters });
      await refused("a delete without purge of a bucket that holds an object", call, "FAILED_PRECONDITION");
      const { text } = await allowed(trial, keys, get);
      holds("the object as it was written", text === put.body, "another one");
    },
  },
  {
    name: "purge-leaves-nothing",
    says: "After a purge a bucket of the same name begins empty.",
    next: "Delete objects, their versions and unfinished uploads, page by page, and then the bucket.",
    untried: all(asksStore, announces(Capability.PURGE)),
    async run(trial) {
      const { bucketId, name, grant } = await trial.bucket();
      const keys = await grant();
      for (const one of ["a", "b/c", key]) await allowed(trial, keys, { ...put, key: one });
      await allowed(trial, keys, { method: "POST", key: "begun", query: { uploads: "" } });
      const { parameters } = trial;
      await done("a purge", trial.calls.deleteBucket({ bucketId, name, purge: true, parameters }));
      const again = await (await trial.bucket({ name })).grant();
      const { text } = await allowed(trial, again, list);
      holds("no object in the new bucket", !text.includes("<Key>"), "an old one");
    },
  },
];

async function allowed(trial: Trial, keys: Access, request: Request): Promise<Heard> {
  const heard = await trial.as(keys, request);
  holds(`success for ${request.method}`, heard.code === "" && heard.status < 300, `${heard.status} ${heard.code}`);
  return heard;
}

async function denied(trial: Trial, keys: Access, request: Request, whose: string): Promise<void> {
  const { status, code } = await trial.as(keys, request);
  holds(`403 for ${request.method} with ${whose}`, status === 403, `${status} ${code}`.trim());
}
