import { readFile } from "node:fs/promises";
import { Failure, misuse } from "../../../api/failure.ts";

/** Secrets come from files or from the environment: everybody on a machine can read the arguments of a process. */
export const secretFlags = {
  "root-access-key-file": { says: "holds the access key of the store's administrator", value: "PATH" },
  "root-secret-key-file": { says: "holds its secret key", value: "PATH" },
  "master-key-file": { says: "holds the text that all tenants' keys are derived from", value: "PATH" },
} as const;

type SecretFlag = keyof typeof secretFlags;

const variables: Readonly<Record<SecretFlag, string>> = {
  "root-access-key-file": "PORTWAY_S3_ROOT_ACCESS_KEY",
  "root-secret-key-file": "PORTWAY_S3_ROOT_SECRET_KEY",
  "master-key-file": "PORTWAY_S3_MASTER_KEY",
};

const shortestMasterKey = 32;

export interface S3Secrets {
  readonly rootAccessKey: string;
  readonly rootSecretKey: string;
  readonly masterKey: string;
}

export async function secretsFrom(
  flags: Readonly<Record<SecretFlag, string | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<S3Secrets> {
  const masterKey = await secretOf("master-key-file", flags, env);
  if (masterKey.length < shortestMasterKey)
    throw new Failure(
      `the master key has ${masterKey.length} characters`,
      `Give at least ${shortestMasterKey}, for instance by: openssl rand -hex 32. Keep it: other keys follow from another one.`,
    );
  return {
    rootAccessKey: await secretOf("root-access-key-file", flags, env),
    rootSecretKey: await secretOf("root-secret-key-file", flags, env),
    masterKey,
  };
}

async function secretOf(
  flag: SecretFlag,
  flags: Readonly<Record<SecretFlag, string | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const [path, variable] = [flags[flag], variables[flag]];
  const text = (path === undefined ? env[variable] : await contentOf(path, flag))?.trim() ?? "";
  if (text === "") throw misuse(`--${flag} or ${variable} is missing or empty`, "Give one of the two.");
  return text;
}

async function contentOf(path: string, flag: SecretFlag): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (problem) {
    throw new Failure(`--${flag}=${path} cannot be read: ${(problem as Error).message}`, "Check the mounted Secret.");
  }
}

/** An address of a store, in words of a flag. */
export function urlOf(text: string, flag: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password + url.search === "")
    return url;
  throw misuse(`${flag}=${text} is no address of a store`, "Write it like http://127.0.0.1:7070, without credentials.");
}
