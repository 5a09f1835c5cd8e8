import { misuse } from "../../api/failure.ts";
import { durationOf } from "../../runtime/flag-values.ts";
import type { FlagValues } from "../command.ts";

/** The flags that people expect of anything that begins with kubectl. */
export const clientFlags = {
  kubeconfig: { says: "which kubeconfig", value: "PATH", ofKubectl: true },
  context: { says: "which context of it", value: "NAME", ofKubectl: true },
  cluster: { says: "which cluster of it", value: "NAME", ofKubectl: true },
  user: { says: "which user of it", value: "NAME", ofKubectl: true },
  namespace: { says: "which namespace; the context's own when not given", value: "NAME", short: "n", ofKubectl: true },
  server: { says: "the server's address, instead of the cluster's own", value: "URL", short: "s", ofKubectl: true },
  "certificate-authority": { says: "who has signed the server's certificate", value: "PATH", ofKubectl: true },
  "insecure-skip-tls-verify": { says: "talk to whoever answers there, with your credentials", ofKubectl: true },
  "tls-server-name": { says: "the name that the server's certificate must have", value: "NAME", ofKubectl: true },
  token: { says: "this bearer token, instead of the user's own", value: "TOKEN", ofKubectl: true },
  "client-certificate": { says: "this certificate, instead of the user's own", value: "PATH", ofKubectl: true },
  "client-key": { says: "the key of it", value: "PATH", ofKubectl: true },
  as: { says: "act as this user", value: "USER", ofKubectl: true },
  "as-group": { says: "act as a member of this group", value: "GROUP", repeatable: true, ofKubectl: true },
  "as-uid": { says: "act with this uid", value: "UID", ofKubectl: true },
  "as-user-extra": { says: "act with this extra value", value: "KEY=VALUE", repeatable: true, ofKubectl: true },
  "request-timeout": { says: "how long one request may take (0: no limit)", value: "DURATION", ofKubectl: true },
  output: { says: "how to print the result", value: "table|wide|json|yaml|name", short: "o", ofKubectl: true },
  v: { says: "6 shows every request to the server", value: "LEVEL", short: "v", ofKubectl: true },
} as const;

export type ClientFlagValues = FlagValues<typeof clientFlags>;

export const dryRunFlag = {
  "dry-run": {
    says: "client: print what would be sent; server: let the server try it and store nothing",
    value: "none|client|server",
    ofKubectl: true,
  },
} as const;

export const yesFlag = { yes: { says: "do it without asking", short: "y" } } as const;

export const waitFlags = {
  wait: { says: "wait until the transfer has ended, and tell every step" },
  timeout: { says: "how long to wait at most (5m)", value: "DURATION" },
} as const;

const outputs = ["table", "wide", "json", "yaml", "name"] as const;
export type Output = (typeof outputs)[number];

export function outputOf(text: string | undefined): Output {
  return oneOf(outputs, text ?? "table", "--output");
}

/** As kubectl reads it: a number without a unit is seconds, and 0 is no limit. */
export function requestTimeoutOf(text: string | undefined): number {
  const words = text || "0";
  return durationOf(/^[0-9]+$/.test(words) ? `${words}s` : words, "--request-timeout");
}

const dryRuns = ["none", "client", "server"] as const;
export type DryRun = (typeof dryRuns)[number];

export function dryRunOf(text: string | undefined): DryRun {
  return oneOf(dryRuns, text ?? "none", "--dry-run");
}

export function oneOf<const W extends string>(words: readonly W[], text: string, flag: string): W {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw misuse(`${flag} does not know "${text}"`, `Write one of: ${words.join(", ")}.`);
}
