import { resolve } from "node:path";
import { defined } from "../../api/defined.ts";
import { Failure } from "../../api/failure.ts";
import { blankCluster, blankUser, type Cluster, type User } from "./kubeconfig.ts";
import type { Source } from "./source.ts";

/** What the caller says in so many words, on top of any entry; kubectl's flags. Paths are as they were typed. */
export interface Overrides {
  readonly server?: string | undefined;
  readonly serverName?: string | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly skipVerify?: boolean | undefined;
  readonly token?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

const typed = "the command line";

/** As in client-go: who is trusted is said anew as a whole, and another server has another name than the cluster's own. */
export function clusterWith(cluster: Cluster | undefined, overrides: Overrides): Cluster {
  const { server, serverName, certificateAuthority, skipVerify = false } = overrides;
  const trustsAnew = skipVerify || certificateAuthority !== undefined;
  if (skipVerify && certificateAuthority !== undefined)
    throw new Failure(
      "--certificate-authority and --insecure-skip-tls-verify contradict each other",
      "Leave one of them out: what is not verified needs no authority.",
    );
  return {
    ...(cluster ?? blankCluster(typed)),
    ...defined({ server }),
    ...(trustsAnew ? { ca: fileOf("--certificate-authority", certificateAuthority), skipVerify } : {}),
    ...(server === undefined && serverName === undefined ? {} : { serverName }),
  };
}

/** A certificate and its key may come from two places; whether they belong together is found out when both are read. */
export function userWith(user: User | undefined, overrides: Overrides): User | undefined {
  const { token, clientCertificate, clientKey } = overrides;
  const said = defined({
    token: token === undefined ? undefined : { what: "--token", text: token },
    certificate: fileOf("--client-certificate", clientCertificate),
    key: fileOf("--client-key", clientKey),
  });
  if (Object.keys(said).length === 0) return user;
  const whole = { ...(user ?? blankUser(typed)), ...said };
  if (clientKey !== undefined && whole.certificate === undefined)
    throw new Failure("--client-key has no certificate to go with", "Name it with --client-certificate.");
  return whole;
}

function fileOf(what: string, path: string | undefined): Source | undefined {
  return path === undefined ? undefined : { what, path: resolve(path) };
}
