import { hkdfSync } from "node:crypto";
import type { Keys } from "./sigv4.ts";

/** Part of every key ever given: another value here would make all of them unknown to the driver. */
const salt = "portway.dev/s3-driver/v1";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * The keys of an account on a bucket: the same whenever they are asked for, and on no other bucket. So a grant that is
 * repeated has the same answer, nothing secret is stored, and a lost answer leaves no key that nobody can name.
 */
export function keysOf(masterKey: Uint8Array, bucket: string, account: string): Keys {
  const derived = (what: string, length: number) =>
    Buffer.from(hkdfSync("sha256", masterKey, salt, JSON.stringify([what, bucket, account]), length));
  return {
    accessKeyID: `PW${[...derived("access key", 18)].map((byte) => letters[byte % letters.length]).join("")}`,
    accessSecretKey: derived("secret key", 30).toString("base64url"),
  };
}

const keyID = /^PW[A-Z2-7]{18}$/;

/** An id that this driver never gave must not reach a user that somebody else made. */
export function isOurKeyID(id: string): boolean {
  return keyID.test(id);
}
