import { hkdfSync } from "node:crypto";
import { readdirSync } from "node:fs";
import {
  type BucketInventory,
  bucketDirectory,
  bucketInventory,
  type Mode,
  type StoredAccount,
  type StoredBucket,
} from "./bucket-inventory.ts";
import { makeWhole, removeWhole } from "./directories.ts";
import { Refusal, required } from "./refusal.ts";

export interface WantedBucket {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly maxBytes?: bigint;
  readonly maxObjects?: bigint;
}

export interface WantedAccount {
  readonly bucket: string;
  readonly name: string;
  readonly mode: Mode;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Buckets and accounts, whatever the wire: both wires of the driver lead here. */
export interface Backend {
  createBucket(wanted: WantedBucket): StoredBucket;
  deleteBucket(bucket: BucketKey, purge: boolean): void;
  /** By the bucket's id, or by its name when it was there before anybody asked for it. */
  grant(wanted: WantedAccount): { readonly account: StoredAccount; readonly bucket: StoredBucket };
  revoke(bucket: BucketKey, account: BucketKey): void;
}

/** Whoever was asked by name and has lost the answer knows no id. */
export interface BucketKey {
  readonly id: string;
  readonly name: string;
}

export function backendIn(state: string): Backend {
  const inventory = bucketInventory(state);

  /** The same name in another way is a refusal, and a bug of the caller that tests read. */
  function same<T extends { readonly name: string; readonly request: string }>(
    method: string,
    one: T,
    said: string,
  ): T {
    if (one.request === said) return one;
    inventory.change(({ misuse }) => {
      misuse.push({ method, of: one.name, says: `asked first for ${one.request}, then for ${said}` });
    });
    throw new Refusal("ALREADY_EXISTS", `${one.name} is there already and was asked for in another way`);
  }

  return {
    createBucket({ name, parameters, maxBytes = 0n, maxObjects = 0n }) {
      required(name, "name");
      if (!/^[\w.-]{1,255}$/.test(name))
        throw new Refusal("INVALID_ARGUMENT", `"${name}" cannot be the name of a bucket`);
      const { buckets, next } = inventory.read();
      const said = JSON.stringify([sorted(parameters), String(maxBytes), String(maxObjects)]);
      const existing = Object.values(buckets).find((bucket) => bucket.name === name);
      if (existing !== undefined) return same("CreateBucket", existing, said);
      const id = `bucket-${next}`;
      const bucket = { id, name, request: said, parameters, maxBytes: `${maxBytes}`, maxObjects: `${maxObjects}` };
      makeWhole(bucketDirectory(state, id));
      inventory.change((draft) => {
        draft.next = next + 1;
        draft.buckets[id] = bucket;
      });
      return bucket;
    },

    deleteBucket(key, purge) {
      required(key.id + key.name, "bucket_id");
      const bucket = bucketOf(inventory.read(), key);
      if (bucket === undefined) return;
      const { id } = bucket;
      if (!purge && readdirSync(bucketDirectory(state, id)).length > 0)
        throw new Refusal("FAILED_PRECONDITION", `${id} still holds objects`);
      inventory.change((draft) => {
        const live = Object.values(draft.accounts).filter((account) => account.bucket === id);
        for (const { name } of live)
          draft.misuse.push({ method: "DeleteBucket", of: id, says: `${name} was not revoked before` });
        for (const account of live) delete draft.accounts[account.id];
        delete draft.buckets[id];
        draft.deleted.push({ id, name: bucket.name });
      });
      removeWhole(bucketDirectory(state, id));
    },

    grant({ bucket, name, mode, parameters }) {
      required(bucket, "bucket_id");
      required(name, "account_name");
      const { buckets, accounts, next, masterKey } = inventory.read();
      const found = buckets[bucket] ?? Object.values(buckets).find((one) => one.name === bucket);
      if (found === undefined) throw new Refusal("NOT_FOUND", `there is no bucket ${bucket}`);
      const said = JSON.stringify([found.id, mode, sorted(parameters)]);
      const existing = Object.values(accounts).find((account) => account.name === name);
      if (existing !== undefined) return { account: same("GrantBucketAccess", existing, said), bucket: found };
      const account = {
        id: `account-${next}`,
        name,
        bucket: found.id,
        mode,
        request: said,
        ...keysOf(masterKey, name, next),
      };
      inventory.change((draft) => {
        draft.next = next + 1;
        draft.accounts[account.id] = account;
      });
      return { account, bucket: found };
    },

    revoke(bucket, key) {
      required(bucket.id + bucket.name, "bucket_id");
      required(key.id + key.name, "account_id");
      const account = accountOf(inventory.read(), key);
      if (account === undefined) return;
      inventory.change((draft) => {
        delete draft.accounts[account.id];
        draft.deleted.push({ id: account.id, name: account.name });
      });
    },
  };
}

function bucketOf({ buckets }: BucketInventory, { id, name }: BucketKey): StoredBucket | undefined {
  return id === "" ? Object.values(buckets).find((bucket) => bucket.name === name) : buckets[id];
}

function accountOf({ accounts }: BucketInventory, { id, name }: BucketKey): StoredAccount | undefined {
  return id === "" ? Object.values(accounts).find((account) => account.name === name) : accounts[id];
}

/** An account that is granted again after it was revoked has other keys. */
function keysOf(masterKey: string, name: string, generation: number) {
  const bytes = Buffer.from(hkdfSync("sha256", masterKey, name, `account ${generation}`, 32)).toString("hex");
  return { accessKeyID: `AK${bytes.slice(0, 16).toUpperCase()}`, accessSecretKey: bytes.slice(16) };
}

function sorted(map: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(map).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
