import { type Pod, pods } from "../api/gen/core.ts";
import type { Stored } from "../api/object.ts";
import type { Sources, Watched } from "../runtime/sources.ts";

/** A pod, as far as it matters to the claims it uses. */
export interface PodSeen {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
  readonly phase: string;
  readonly claims: readonly string[];
}

/**
 * The pods of a namespace, watched only while a transfer from there waits or is about to take the claim away: a cache of
 * all pods of a cluster would cost more than everything else together.
 */
export interface PodWatch {
  /** Those that keep the claim from going; whoever asks holds the watch until it releases it. */
  usersOf(namespace: string, claim: string, holder: string): Promise<readonly PodSeen[]>;
  release(holder: string): void;
  stop(): Promise<void>;
}

/** Two transfers one after another should not open it twice. */
const lingerMilliseconds = 5000;

interface Open {
  readonly watched: Watched<PodSeen>;
  readonly holders: Set<string>;
  closing: NodeJS.Timeout | undefined;
}

export function podWatch(sources: Pick<Sources, "watch">, wake: (holder: string) => void): PodWatch {
  const open = new Map<string, Open>();

  function openIn(namespace: string): Open {
    const watched = sources.watch(pods, {
      where: { namespace },
      project: seenOf,
      indexes: { claim: ({ claims }) => claims },
    });
    const one: Open = { watched, holders: new Set(), closing: undefined };
    watched.cache.onChange(() => {
      for (const holder of one.holders) wake(holder);
    });
    open.set(namespace, one);
    return one;
  }

  function close(namespace: string, one: Open): void {
    open.delete(namespace);
    void one.watched.stop();
  }

  return {
    async usersOf(namespace, claim, holder) {
      const one = open.get(namespace) ?? openIn(namespace);
      clearTimeout(one.closing);
      one.closing = undefined;
      one.holders.add(holder);
      await one.watched.untilSynced();
      return one.watched.cache.by("claim", claim);
    },
    release(holder) {
      for (const [namespace, one] of open) {
        if (!one.holders.delete(holder) || one.holders.size > 0) continue;
        one.closing = setTimeout(() => close(namespace, one), lingerMilliseconds).unref();
      }
    },
    async stop() {
      for (const one of open.values()) clearTimeout(one.closing);
      await Promise.all([...open.values()].map(({ watched }) => watched.stop()));
      open.clear();
    },
  };
}

/** As kube-controller-manager counts: a pod that was ever put on a node keeps its claims, finished or not. */
function seenOf({ metadata, spec, status }: Stored<Pod>): PodSeen {
  const { name, namespace = "", uid, resourceVersion } = metadata;
  const isPlaced = (spec?.nodeName ?? "") !== "";
  const claims = (spec?.volumes ?? []).flatMap((volume) => {
    if (volume.ephemeral !== undefined) return [`${name}-${volume.name}`];
    return volume.persistentVolumeClaim?.claimName ?? [];
  });
  return {
    metadata: { name, namespace, uid, resourceVersion },
    phase: status?.phase ?? "Unknown",
    claims: isPlaced ? claims : [],
  };
}
