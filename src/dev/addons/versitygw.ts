import { randomBytes } from "node:crypto";
import { build } from "../build/build.ts";
import { addonParts } from "../build/parts.ts";
import { freePort } from "../ports.ts";
import { probe } from "../probe.ts";
import { type Addon, folderFor, run } from "./addon.ts";

/** A real object store on a directory, with accounts: a revoked key really gets 403. */
export const versitygw: Addon = async (at) => {
  const built = await build(addonParts.versitygw, at.place);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [access, secret] = ["portway-root", randomBytes(24).toString("base64url")];
  await run(at, {
    name: "versitygw",
    program: built.program("versitygw"),
    args: [
      `--port=127.0.0.1:${port}`,
      "--region=us-east-1",
      `--iam-dir=${await folderFor(at, "versitygw", "accounts")}`,
      "posix",
      await folderFor(at, "versitygw", "buckets"),
    ],
    // By environment and not by flag: other users of this machine can read the arguments of a process.
    env: { ROOT_ACCESS_KEY: access, ROOT_SECRET_KEY: secret },
    isReady: async () => (await probe(url)) !== undefined,
  });
  return { AWS_ENDPOINT_URL: url, AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret };
};
