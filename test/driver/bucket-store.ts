import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  bucketDirectory,
  bucketInventory,
  type Mode,
  type StoredAccount,
  type StoredBucket,
} from "./bucket-inventory.ts";

export interface Keys {
  readonly accessKeyID: string;
  readonly accessSecretKey: string;
}

/** Objects of a bucket as somebody with these keys can reach them. It asks the inventory each time: a revoked key is dead. */
export interface BucketAccess {
  put(key: string, text: string): void;
  get(key: string): string;
}

export class AccessDenied extends Error {
  override readonly name = "AccessDenied";
}

export class QuotaExceeded extends Error {
  override readonly name = "QuotaExceeded";
}

export function accessTo(state: string, bucketId: string, keys: Keys): BucketAccess {
  const directory = bucketDirectory(state, bucketId);
  return {
    put(key, text) {
      const { bucket } = admitted(state, bucketId, keys, ["rw", "wo"]);
      requireRoom(bucket, directory, key, Buffer.byteLength(text));
      writeFileSync(join(directory, encodeURIComponent(key)), text);
    },
    get(key) {
      admitted(state, bucketId, keys, ["rw", "ro"]);
      return readFileSync(join(directory, encodeURIComponent(key)), "utf8");
    },
  };
}

interface Admitted {
  readonly account: StoredAccount;
  readonly bucket: StoredBucket;
}

function admitted(state: string, bucketId: string, keys: Keys, modes: readonly Mode[]): Admitted {
  const { accounts, buckets } = bucketInventory(state).read();
  const account = Object.values(accounts).find(({ accessKeyID }) => accessKeyID === keys.accessKeyID);
  const bucket = buckets[bucketId];
  if (bucket === undefined || account === undefined || account.bucket !== bucketId)
    throw new AccessDenied(`${keys.accessKeyID} has no access to ${bucketId}`);
  if (account.accessSecretKey !== keys.accessSecretKey) throw new AccessDenied("the secret key is wrong");
  if (!modes.includes(account.mode)) throw new AccessDenied(`${account.name} is ${account.mode}`);
  return { account, bucket };
}

function requireRoom({ maxBytes, maxObjects }: StoredBucket, directory: string, key: string, bytes: number): void {
  const others = readdirSync(directory).filter((name) => name !== encodeURIComponent(key));
  const held = others.reduce((sum, name) => sum + statSync(join(directory, name)).size, bytes);
  if (maxBytes !== "0" && BigInt(held) > BigInt(maxBytes)) throw new QuotaExceeded(`${maxBytes} bytes at most`);
  if (maxObjects !== "0" && BigInt(others.length + 1) > BigInt(maxObjects))
    throw new QuotaExceeded(`${maxObjects} objects at most`);
}
