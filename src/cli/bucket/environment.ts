import type { Credentials } from "../../api/buckets/secret-keys.ts";

/** Stores that know no regions still want one to be signed. */
const anyRegion = "us-east-1";

export type Environment = Readonly<Record<string, string>>;

/** In the words that AWS's libraries and tools look for; older ones know the region by its other name only. */
export function environmentOf({
  accessKeyID,
  accessSecretKey,
  endpoint,
  region,
  bucketName,
}: Credentials): Environment {
  return {
    AWS_ACCESS_KEY_ID: accessKeyID,
    AWS_SECRET_ACCESS_KEY: accessSecretKey,
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region ?? anyRegion,
    AWS_DEFAULT_REGION: region ?? anyRegion,
    BUCKET_NAME: bucketName,
  };
}

/** Each of these would win over what is set here, and send the requests elsewhere or sign them with another's session. */
const inTheWay = ["AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3"] as const;

interface Shell {
  quoted(value: string): string;
  set(name: string, quoted: string): string;
  unset(name: string): string;
}

/** PowerShell takes the curly quotes of a word processor for straight ones. */
const everyQuote = /['‘’‚‛]/g;

const shells = {
  sh: {
    quoted: (value) => `'${value.replaceAll("'", `'\\''`)}'`,
    set: (name, quoted) => `export ${name}=${quoted}`,
    unset: (name) => `unset ${name}`,
  },
  fish: {
    quoted: (value) => `'${value.replaceAll(/['\\]/g, "\\$&")}'`,
    set: (name, quoted) => `set -gx ${name} ${quoted}`,
    unset: (name) => `set -e ${name}`,
  },
  powershell: {
    quoted: (value) => `'${value.replaceAll(everyQuote, "$&$&")}'`,
    set: (name, quoted) => `$Env:${name} = ${quoted}`,
    unset: (name) => `Remove-Item Env:${name} -ErrorAction Ignore`,
  },
} as const satisfies Readonly<Record<string, Shell>>;

type ShellName = keyof typeof shells;
export const shellNames = ["sh", "fish", "powershell"] as const satisfies readonly ShellName[];

export function linesFor(name: ShellName, environment: Environment): readonly string[] {
  const shell: Shell = shells[name];
  return [
    ...inTheWay.map((variable) => shell.unset(variable)),
    ...Object.entries(environment).map(([variable, value]) => shell.set(variable, shell.quoted(value))),
  ];
}
