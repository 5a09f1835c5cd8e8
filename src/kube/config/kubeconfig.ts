import type { Source } from "./source.ts";

/** One kubeconfig, or several merged into one. Every path in it is absolute. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, Context>;
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly users: ReadonlyMap<string, User>;
}

export interface Context {
  readonly cluster: string | undefined;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
}

export interface Cluster {
  /** For sentences: `cluster "dev" in /home/me/.kube/config`. */
  readonly place: string;
  readonly server: string | undefined;
  readonly ca: Source | undefined;
  readonly serverName: string | undefined;
  readonly skipVerify: boolean;
  readonly proxyUrl: string | undefined;
  /** What the cluster tells exec plugins; its shape is theirs. */
  readonly execConfig: unknown;
}

export interface User {
  readonly place: string;
  readonly token: Source | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly certificate: Source | undefined;
  readonly key: Source | undefined;
  readonly authProvider: string | undefined;
  readonly exec: ExecWords | undefined;
  readonly as: {
    readonly user: string | undefined;
    readonly groups: readonly string[];
    readonly uid: string | undefined;
    readonly extra: Readonly<Record<string, readonly string[]>>;
  };
}

/** An exec plugin as it is written; `exec-spec.ts` says what is wrong with it, once somebody wants to use it. */
export interface ExecWords {
  readonly place: string;
  readonly apiVersion: string | undefined;
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: string | undefined;
}

/** An entry about which nothing is known yet but where it comes from. */
export function blankCluster(place: string): Cluster {
  return {
    place,
    server: undefined,
    ca: undefined,
    serverName: undefined,
    skipVerify: false,
    proxyUrl: undefined,
    execConfig: undefined,
  };
}

export function blankUser(place: string): User {
  return {
    place,
    token: undefined,
    username: undefined,
    password: undefined,
    certificate: undefined,
    key: undefined,
    authProvider: undefined,
    exec: undefined,
    as: { user: undefined, groups: [], uid: undefined, extra: {} },
  };
}
