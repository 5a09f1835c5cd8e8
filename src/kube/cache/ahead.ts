import type { Kept } from "./store.ts";
import { isAtLeast } from "./versions.ts";

/**
 * What this process itself has written and the watch has not told yet. A cache that showed less would let us decide on
 * a world older than our own last act.
 */
export interface Ahead {
  /** Whether this news comes too late: we have written a later version of that object, or its end. */
  isOutrun(object: Kept): boolean;
  wrote(key: string, object: Kept): void;
  ended(uid: string): void;
  /** The watch has told this of the object itself. */
  told(key: string, object: Kept, isEnd: boolean): void;
  /** Objects of ours that a whole new picture is too old to know. */
  missedBy(picture: ReadonlyMap<string, Kept>, resourceVersion: string): ReadonlySet<string>;
  /** The server itself has gone back in time: what we wrote was undone with everything else. */
  forget(): void;
}

export function aheadOfWatch(): Ahead {
  const written = new Map<string, { readonly uid: string; readonly resourceVersion: string }>();
  const gone = new Set<string>();
  return {
    isOutrun({ metadata: { uid } }) {
      return gone.has(uid);
    },
    wrote(key, { metadata: { uid, resourceVersion } }) {
      written.set(key, { uid, resourceVersion });
    },
    ended: (uid) => void gone.add(uid),
    told(key, { metadata: { uid, resourceVersion } }, isEnd) {
      if (isEnd) gone.delete(uid);
      const own = written.get(key);
      if (own === undefined) return;
      if (isEnd ? own.uid === uid : isAtLeast(resourceVersion, own.resourceVersion)) written.delete(key);
    },
    missedBy(picture, version) {
      const seen = new Set([...picture.values()].map(({ metadata }) => metadata.uid));
      for (const uid of gone) if (!seen.has(uid)) gone.delete(uid);
      for (const [key, own] of written) if (isAtLeast(version, own.resourceVersion)) written.delete(key);
      return new Set(written.keys());
    },
    forget() {
      written.clear();
      gone.clear();
    },
  };
}
