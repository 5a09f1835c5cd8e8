import { aheadOfWatch } from "./ahead.ts";
import { isAtLeast } from "./versions.ts";

/** The least that a kept object must have: who it is, and as of when. */
export interface Kept {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

/** Told of every change once: added (no before), changed, or deleted (no after). */
export type ChangeHandler<V> = (before: V | undefined, after: V | undefined) => void;

/** From an object to the values under which it is to be found. */
export type Indexes<V> = Readonly<Record<string, (object: V) => readonly string[]>>;

/** What is known of one kind of object, and how new that knowledge is. */
export interface Cache<V extends Kept> {
  readonly size: number;
  /** Everything stored up to this version is known. */
  readonly resourceVersion: string;
  get(key: string): V | undefined;
  values(): IterableIterator<V>;
  by(index: string, value: string): readonly V[];
  onChange(handler: ChangeHandler<V>): () => void;
  /** Resolves when the cache knows at least this version: read your own writes. */
  reached(resourceVersion: string, signal?: AbortSignal): Promise<void>;
}

export interface Store<V extends Kept> extends Cache<V> {
  put(object: V): void;
  remove(object: V): void;
  /** A whole new picture: what is missing in it was deleted while nobody looked. */
  replace(objects: ReadonlyMap<string, V>, resourceVersion: string): void;
  advance(resourceVersion: string): void;
  /** What we wrote ourselves, as the server answered it: known at once, before the watch tells it. */
  wrote(object: V): void;
  /** We have deleted the object with this uid, and the server has said that it is gone. */
  ended(key: string, uid: string): void;
}

export function keyOf({ metadata: { namespace, name } }: Kept): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function storeOf<V extends Kept>(indexes: Indexes<V>, onHandlerError: (problem: unknown) => void): Store<V> {
  const objects = new Map<string, V>();
  const found = new Map(Object.keys(indexes).map((name) => [name, new Map<string, Set<string>>()]));
  const indexed = Object.entries(indexes).map(([name, valuesOf]) => ({
    index: found.get(name) ?? new Map<string, Set<string>>(),
    valuesOf,
  }));
  const handlers = new Set<ChangeHandler<V>>();
  const waiting = new Set<{ readonly version: string; readonly resolve: () => void }>();
  const ahead = aheadOfWatch();
  let known = "";

  function note(key: string, before: V | undefined, after: V | undefined): void {
    // Everything that can throw comes before the first change: a change is made whole or not at all.
    const moves = indexed.map(({ index, valuesOf }) => ({
      index,
      out: before === undefined ? [] : valuesOf(before),
      into: after === undefined ? [] : valuesOf(after),
    }));
    if (after === undefined) objects.delete(key);
    else objects.set(key, after);
    for (const { index, out, into } of moves) {
      for (const value of out) dropFrom(index, value, key);
      for (const value of into) addTo(index, value, key);
    }
    for (const handler of handlers) {
      try {
        handler(before, after);
      } catch (problem) {
        onHandlerError(problem);
      }
    }
  }

  /** Deleted and made again under one name is two changes, or whoever follows the first object never hears of its end. */
  function change(key: string, after: V): void {
    const before = objects.get(key);
    if (before === undefined || before.metadata.uid === after.metadata.uid) return note(key, before, after);
    note(key, before, undefined);
    note(key, undefined, after);
  }

  function end(key: string, uid: string): void {
    const before = objects.get(key);
    if (before?.metadata.uid === uid) note(key, before, undefined);
  }

  function isNews(object: V): boolean {
    const old = objects.get(keyOf(object))?.metadata;
    if (old === undefined || old.resourceVersion === object.metadata.resourceVersion) return old === undefined;
    return isAtLeast(object.metadata.resourceVersion, old.resourceVersion);
  }

  const store: Store<V> = {
    get size() {
      return objects.size;
    },
    get resourceVersion() {
      return known;
    },
    get: (key) => objects.get(key),
    values: () => objects.values(),
    by(index, value) {
      const keys = found.get(index);
      if (keys === undefined) throw new Error(`there is no index "${index}"`);
      const listed: V[] = [];
      for (const key of keys.get(value) ?? []) {
        const object = objects.get(key);
        if (object !== undefined) listed.push(object);
      }
      return listed;
    },
    onChange(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    async reached(version, signal) {
      if (isAtLeast(known, version)) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter = { version, resolve };
      const abort = () => reject(signal?.reason as Error);
      waiting.add(waiter);
      signal?.addEventListener("abort", abort, { once: true });
      if (signal?.aborted === true) abort();
      try {
        await promise;
      } finally {
        waiting.delete(waiter);
        signal?.removeEventListener("abort", abort);
      }
    },
    put(object) {
      const key = keyOf(object);
      if (!ahead.isOutrun(object) && isNews(object)) change(key, object);
      ahead.told(key, object, false);
    },
    remove(object) {
      const key = keyOf(object);
      end(key, object.metadata.uid);
      ahead.told(key, object, true);
    },
    wrote(object) {
      // Up to its position the cache is whole: what is missing there has been deleted since.
      if (isAtLeast(known, object.metadata.resourceVersion) || !isNews(object)) return;
      ahead.wrote(keyOf(object), object);
      change(keyOf(object), object);
    },
    ended(key, uid) {
      if (objects.get(key)?.metadata.uid !== uid) return;
      ahead.ended(uid);
      end(key, uid);
    },
    replace(next, version) {
      for (const object of next.values()) for (const valuesOf of Object.values(indexes)) valuesOf(object);
      if (!isAtLeast(version, known)) ahead.forget();
      const ours = ahead.missedBy(next, version);
      for (const [key, before] of objects) if (!next.has(key) && !ours.has(key)) note(key, before, undefined);
      for (const [key, after] of next) {
        const isOld = ours.has(key) || ahead.isOutrun(after);
        if (!isOld && objects.get(key)?.metadata.resourceVersion !== after.metadata.resourceVersion) change(key, after);
      }
      // After a restored back-up the server's versions begin anew; what it says counts.
      known = "";
      store.advance(version);
    },
    advance(version) {
      if (!isAtLeast(version, known)) return;
      known = version;
      for (const waiter of waiting) if (isAtLeast(known, waiter.version)) waiter.resolve();
    },
  };
  return store;
}

function addTo(index: Map<string, Set<string>>, value: string, key: string): void {
  const keys = index.get(value);
  if (keys === undefined) index.set(value, new Set([key]));
  else keys.add(key);
}

function dropFrom(index: Map<string, Set<string>>, value: string, key: string): void {
  const keys = index.get(value);
  keys?.delete(key);
  if (keys?.size === 0) index.delete(value);
}
