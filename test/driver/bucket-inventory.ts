import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Inventory, inventoryIn, type Misuse } from "./inventory.ts";

export type Mode = "rw" | "ro" | "wo";

export interface StoredBucket {
  readonly id: string;
  readonly name: string;
  readonly request: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** 0 means that there is no such bound. */
  readonly maxBytes: string;
  readonly maxObjects: string;
}

export interface StoredAccount {
  readonly id: string;
  readonly name: string;
  readonly bucket: string;
  readonly mode: Mode;
  readonly request: string;
  readonly accessKeyID: string;
  readonly accessSecretKey: string;
}

export interface BucketInventory {
  readonly v: 1;
  next: number;
  /** Keys are derived from it and the account, so that a grant that is repeated has the same answer. */
  readonly masterKey: string;
  readonly buckets: Record<string, StoredBucket>;
  readonly accounts: Record<string, StoredAccount>;
  /** What is gone, in the order of going. */
  readonly deleted: { readonly id: string; readonly name: string }[];
  readonly misuse: Misuse[];
}

/** The file for tests that look while the driver runs, or after its end. */
export function bucketInventory(state: string): Inventory<BucketInventory> {
  return inventoryIn<BucketInventory>(join(state, "inventory.json"), {
    v: 1,
    next: 1,
    masterKey: randomBytes(32).toString("hex"),
    buckets: {},
    accounts: {},
    deleted: [],
    misuse: [],
  });
}

export function bucketDirectory(state: string, id: string): string {
  return join(state, "buckets", id);
}
