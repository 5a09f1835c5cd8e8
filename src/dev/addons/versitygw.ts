import { randomBytes } from "node:crypto";
import { build } from "../build/build.ts";
import { addonParts } from "../build/parts.ts";
import type { ComponentSpec } from "../component.ts";
import { freePort } from "../ports.ts";
import { probe } from "../probe.ts";
import { type Addon, folderFor, run } from "./addon.ts";

export interface VersitygwSpec {
  readonly program: string;
  readonly port: number;
  /** A folder of this name, absolute and there: versitygw changes its directory. */
  readonly folder: (name: string) => Promise<string>;
  readonly root: { readonly access: string; readonly secret: string };
}

/** A real object store on a directory, with accounts and versions: a revoked key really gets 403. */
export async function versitygwComponent(spec: VersitygwSpec): Promise<Omit<ComponentSpec, "logFile">> {
  const { program, port, folder, root } = spec;
  return {
    name: "versitygw",
    program,
    args: [
      `--port=127.0.0.1:${port}`,
      "--region=us-east-1",
      `--iam-dir=${await folder("accounts")}`,
      // Its cache knows a deleted user for up to two minutes: the names in it change under its hands.
      "--iam-cache-disable",
      "posix",
      `--versioning-dir=${await folder("versions")}`,
      await folder("buckets"),
    ],
    // By environment and not by flag: other users of this machine can read the arguments of a process.
    env: { ROOT_ACCESS_KEY: root.access, ROOT_SECRET_KEY: root.secret },
    isReady: async () => (await probe(`http://127.0.0.1:${port}`)) !== undefined,
  };
}

export const versitygw: Addon = async (at) => {
  const built = await build(addonParts.versitygw, at.place);
  const port = await freePort();
  const root = { access: "portway-root", secret: randomBytes(24).toString("base64url") };
  const folder = async (name: string) => await folderFor(at, "versitygw", name);
  await run(at, await versitygwComponent({ program: built.program("versitygw"), port, folder, root }));
  const url = `http://127.0.0.1:${port}`;
  return {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: root.access,
    AWS_SECRET_ACCESS_KEY: root.secret,
  };
};
