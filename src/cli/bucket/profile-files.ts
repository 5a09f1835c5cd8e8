import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Credentials } from "../../api/buckets/secret-keys.ts";
import { Failure } from "../../api/failure.ts";
import { confirm } from "../kubectl/confirm.ts";
import { inWords } from "../kubectl/names.ts";
import type { Terminal } from "../terminal.ts";
import { environmentOf } from "./environment.ts";
import type { Opened } from "./keys.ts";
import { type Section, withSection } from "./profile.ts";

interface Wish {
  readonly profile: string;
  /** One file for all of it, instead of AWS's own two. */
  readonly file: string | undefined;
  readonly isAgreed: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Target {
  readonly path: string;
  readonly section: Section;
  readonly holdsKeys: boolean;
}

/** Writes the keys of a Bucket as a profile of AWS's tools; answers the files. */
export async function writeProfile(
  terminal: Terminal,
  { bucket, credentials }: Opened,
  wish: Wish,
): Promise<readonly string[]> {
  const edits = [];
  for (const target of targetsFor(credentials, wish)) {
    const path = await realpath(target.path).catch(() => target.path);
    edits.push({ ...target, path, ...withSection(await textOf(path), target.section, bucket.metadata.uid) });
  }
  const plan = edits
    .filter(({ lost }) => lost.length > 0)
    .map(({ path, lost }) => `The profile ${wish.profile} in ${path} is replaced; gone are its ${lost.join(", ")}.`);
  if (plan.length > 0)
    await confirm(terminal, [...plan, `It becomes the one of the Bucket ${inWords(bucket.metadata)}.`], wish.isAgreed);
  for (const { path, text, holdsKeys } of edits) await replace(path, text, holdsKeys);
  return edits.map(({ path }) => path);
}

/** A credentials file names a profile as it is, a config file with a word before it, except for the default one. */
function targetsFor(credentials: Credentials, { profile, file, env }: Wish): readonly Target[] {
  const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "", ...rest } = environmentOf(credentials);
  const { AWS_REGION: region = "", AWS_ENDPOINT_URL: endpoint = "" } = rest;
  const keys = { aws_access_key_id: AWS_ACCESS_KEY_ID, aws_secret_access_key: AWS_SECRET_ACCESS_KEY };
  const place = { region, endpoint_url: endpoint };
  const inConfig = profile === "default" ? profile : `profile ${profile}`;
  if (file !== undefined)
    return [{ path: file, section: { heading: inConfig, values: { ...keys, ...place } }, holdsKeys: true }];
  const folder = join(env["HOME"] || homedir(), ".aws");
  return [
    {
      path: env["AWS_SHARED_CREDENTIALS_FILE"] || join(folder, "credentials"),
      section: { heading: profile, values: keys },
      holdsKeys: true,
    },
    {
      path: env["AWS_CONFIG_FILE"] || join(folder, "config"),
      section: { heading: inConfig, values: place },
      holdsKeys: false,
    },
  ];
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (problem) {
    if (codeOf(problem) === "ENOENT") return "";
    throw new Failure(`${path} cannot be read: ${codeOf(problem)}`, "Choose another file with --file.", {
      cause: problem,
    });
  }
}

/** By renaming: who reads it meanwhile, or pulls the plug, finds the old one or the new one whole. */
async function replace(path: string, text: string, holdsKeys: boolean): Promise<void> {
  const beside = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(beside, text, { mode: 0o600, flag: "wx" });
    if (!holdsKeys) await chmod(beside, await modeOf(path));
    await rename(beside, path);
  } catch (problem) {
    await rm(beside, { force: true });
    throw new Failure(`${path} cannot be written: ${codeOf(problem)}`, "Choose another file with --file.", {
      cause: problem,
    });
  }
}

async function modeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? 0o600 : found.mode & 0o777;
}

function codeOf(problem: unknown): string {
  return (problem as { readonly code?: string }).code ?? "unknown trouble";
}
