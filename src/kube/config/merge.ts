import type { Kubeconfig } from "./kubeconfig.ts";

/** The rule of client-go: the first file that sets a value or has an entry wins, and an entry is never mixed from two. */
export function merge(configs: readonly Kubeconfig[]): Kubeconfig {
  return {
    files: configs.flatMap((config) => config.files),
    currentContext: configs.find((config) => config.currentContext !== undefined)?.currentContext,
    contexts: firstOfEach(configs.map((config) => config.contexts)),
    clusters: firstOfEach(configs.map((config) => config.clusters)),
    users: firstOfEach(configs.map((config) => config.users)),
  };
}

function firstOfEach<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}
