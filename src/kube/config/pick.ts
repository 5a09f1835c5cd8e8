import { Failure } from "../../api/failure.ts";
import type { Cluster, Context, Kubeconfig, User } from "./kubeconfig.ts";

/** What the caller wants instead of what the kubeconfig says. */
export interface Choice {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
  readonly server?: string | undefined;
}

export interface Picked {
  /** Absent only when the caller named a server. */
  readonly cluster: Cluster | undefined;
  /** Absent: anonymous. */
  readonly user: User | undefined;
  readonly namespace: string;
}

export function pick(config: Kubeconfig, choice: Choice): Picked {
  const name = choice.context ?? config.currentContext;
  const context = name === undefined ? nothing : entryOf(config, "context", name);
  const cluster = choice.cluster ?? context.cluster;
  const user = choice.user ?? context.user;
  if (cluster === undefined && choice.server === undefined) throw noCluster(config, name);
  return {
    cluster: cluster === undefined ? undefined : entryOf(config, "cluster", cluster),
    user: user === undefined ? undefined : entryOf(config, "user", user),
    namespace: choice.namespace ?? context.namespace ?? "default",
  };
}

const nothing: Context = { cluster: undefined, user: undefined, namespace: undefined };

interface Entries {
  readonly context: Context;
  readonly cluster: Cluster;
  readonly user: User;
}

function entryOf<N extends keyof Entries>(config: Kubeconfig, noun: N, name: string): Entries[N] {
  const entries: { readonly [n in keyof Entries]: ReadonlyMap<string, Entries[n]> } = {
    context: config.contexts,
    cluster: config.clusters,
    user: config.users,
  };
  const found = entries[noun].get(name);
  if (found !== undefined) return found;
  throw new Failure(`there is no ${noun} "${name}" in ${whereIn(config)}`, known(noun, [...entries[noun].keys()]));
}

function noCluster(config: Kubeconfig, context: string | undefined): Failure {
  const names = [...config.contexts.keys()];
  return context === undefined
    ? new Failure(
        `no current context is set in ${whereIn(config)}`,
        `Name one with --context. ${known("context", names)}`,
      )
    : new Failure(`context "${context}" in ${whereIn(config)} names no cluster`, "Name one with --cluster.");
}

function whereIn(config: Kubeconfig): string {
  return config.files.length === 0 ? "any kubeconfig: none was found" : config.files.join(", ");
}

function known(noun: string, names: readonly string[]): string {
  return names.length === 0 ? `There is no ${noun} at all.` : `Known ${noun}s: ${names.toSorted().join(", ")}.`;
}
