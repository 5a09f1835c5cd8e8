import type { KubeObject, Resource, Stored } from "../../api/object.ts";
import type { Client, Where } from "../client.ts";
import { Mirror } from "./mirror.ts";
import { type Cache, type Indexes, type Kept, storeOf } from "./store.ts";

export interface ReflectorOptions<T extends KubeObject, V extends Kept> {
  readonly client: Client;
  readonly resource: Resource<T>;
  readonly where?: Where;
  /** What to keep of an object; the rest is forgotten at once. */
  readonly project: (object: Stored<T>) => V;
  readonly indexes?: Indexes<V>;
  readonly settings?: Partial<ReflectorSettings>;
  /** Told of every trouble. The reflector goes on by itself, always. */
  readonly onTrouble: (problem: unknown) => void;
}

export interface ReflectorSettings {
  /** How long one watch may last; the server ends it at a random moment between this and twice as long. */
  readonly watchSeconds: number;
  readonly silentSeconds: number;
  readonly firstPauseMilliseconds: number;
  readonly longestPauseMilliseconds: number;
  /** Ask for the first list as a stream, where the server has that. */
  readonly streamed: boolean;
  /** A streamed first list that has not ended by then is given up, and asked for in pages. */
  readonly firstListSeconds: number;
  /** Make what is kept unchangeable; on in tests, where it finds those who write into the cache. */
  readonly frozen: boolean;
}

const defaults: ReflectorSettings = {
  watchSeconds: 300,
  silentSeconds: 150,
  firstPauseMilliseconds: 800,
  longestPauseMilliseconds: 30_000,
  streamed: true,
  firstListSeconds: 120,
  frozen: false,
};

export interface Reflector<T extends KubeObject, V extends Kept> {
  readonly cache: Cache<V>;
  /** Our own write as the server answered it: the cache shows it from now on. */
  wrote(object: Stored<T>): void;
  /** Our own delete, and the object is gone. */
  ended(key: string, uid: string): void;
  /** Resolves when the cache holds a whole first list. */
  untilSynced(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps a cache equal to what the server has stored, through whatever happens to connections and servers, until it is stopped. */
export function reflect<T extends KubeObject, V extends Kept>(options: ReflectorOptions<T, V>): Reflector<T, V> {
  // Whoever listens to troubles must not be able to end us by throwing.
  const tell = (problem: unknown) => {
    try {
      options.onTrouble(problem);
    } catch {
      // There is nobody left to tell.
    }
  };
  const store = storeOf(options.indexes ?? {}, tell);
  const stopping = new AbortController();
  const synced = Promise.withResolvers<void>();
  const settings = { ...defaults, ...options.settings };
  const mirror = new Mirror({ ...options, onTrouble: tell }, settings, store, synced.resolve, stopping.signal);
  const running = mirror.run();
  return {
    cache: store,
    wrote: (object) => store.wrote(mirror.keep(object)),
    ended: (key, uid) => store.ended(key, uid),
    async untilSynced(signal) {
      const off = AbortSignal.any(signal === undefined ? [stopping.signal] : [stopping.signal, signal]);
      const called = Promise.withResolvers<never>();
      const abort = () => called.reject(off.reason as Error);
      off.addEventListener("abort", abort, { once: true });
      if (off.aborted) abort();
      await Promise.race([synced.promise, called.promise]);
    },
    async stop() {
      stopping.abort(new Error("the reflector is stopped"));
      await running;
    },
  };
}
