import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject, Stored } from "../../api/object.ts";
import { ApiError } from "../errors.ts";
import { frozen } from "./frozen.ts";
import type { ReflectorOptions, ReflectorSettings } from "./reflector.ts";
import { type Kept, keyOf, type Store } from "./store.ts";
import { follow, GarbledStream, type WatchEvent } from "./watch-events.ts";

const shortestWatchMilliseconds = 1000;

/** The life of one reflector: list if needed, watch until it ends, and again. */
export class Mirror<T extends KubeObject, V extends Kept> {
  readonly #options: ReflectorOptions<T, V>;
  readonly #settings: ReflectorSettings;
  readonly #store: Store<V>;
  readonly #whenSynced: () => void;
  readonly #stop: AbortSignal;
  /** Where the next watch goes on; undefined when a whole new list is needed. */
  #position: string | undefined;
  #canStream: boolean;
  /** The last streamed list failed: the other way may work. */
  #pagesNext = false;
  #failures = 0;
  /** When the watch began that is running now. */
  #begun = Number.POSITIVE_INFINITY;
  #heard = 0;

  constructor(
    options: ReflectorOptions<T, V>,
    settings: ReflectorSettings,
    store: Store<V>,
    whenSynced: () => void,
    stop: AbortSignal,
  ) {
    this.#options = options;
    this.#settings = settings;
    this.#store = store;
    this.#whenSynced = whenSynced;
    this.#stop = stop;
    this.#canStream = settings.streamed;
  }

  async run(): Promise<void> {
    while (!this.#stop.aborted) {
      try {
        await this.#once();
      } catch (problem) {
        if (this.#stop.aborted) return;
        await this.#recover(problem);
      }
    }
  }

  /** One list if it is needed, and one watch, until the watch ends. */
  async #once(): Promise<void> {
    this.#begun = Number.POSITIVE_INFINITY;
    this.#heard = 0;
    if (this.#position === undefined && (this.#pagesNext || !this.#canStream)) await this.#listPages();
    const first = this.#position === undefined ? new Map<string, V>() : undefined;
    const { body } = await this.#openWatch(first !== undefined);
    this.#begun = performance.now();
    const late = setTimeout(() => {
      if (first !== undefined && this.#position === undefined) body.destroy(new Error("the first list does not end"));
    }, this.#settings.firstListSeconds * 1000);
    try {
      const silentMilliseconds = this.#settings.silentSeconds * 1000;
      await follow(body, (event) => this.#take(event, first), { silentMilliseconds, signal: this.#stop });
    } finally {
      clearTimeout(late);
    }
    if (this.#livedLong) this.#failures = 0;
    // Without a pause this would go round and round as fast as the server answers.
    else if (this.#heard === 0) throw new Error("the watch ended as soon as it began");
    if (this.#position === undefined) throw new Error("the first list was cut off");
  }

  get #livedLong(): boolean {
    return performance.now() - this.#begun >= shortestWatchMilliseconds;
  }

  async #openWatch(withInitialEvents: boolean) {
    const { client, resource, where = {} } = this.#options;
    const { watchSeconds } = this.#settings;
    const query = {
      allowWatchBookmarks: "true",
      timeoutSeconds: String(Math.ceil(watchSeconds * (1 + Math.random()))),
      ...(withInitialEvents
        ? { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan" }
        : { resourceVersion: this.#position ?? "" }),
    };
    return await client.watch(resource, where, query, { signal: this.#stop });
  }

  async #listPages(): Promise<void> {
    const { client, resource, where = {} } = this.#options;
    const objects = new Map<string, V>();
    let version = "";
    for await (const page of client.pages(resource, where, { signal: this.#stop })) {
      for (const object of page.items) {
        const kept = this.keep(object);
        objects.set(keyOf(kept), kept);
      }
      version = page.resourceVersion;
    }
    if (version === "") throw new Error("the list has no pages");
    this.#replace(objects, version);
  }

  #take(event: WatchEvent, first: Map<string, V> | undefined): void {
    if (event.type === "ERROR") throw statusError(event.object, this.#options.resource.plural);
    const version = event.object.metadata?.resourceVersion;
    if (version === undefined || version === "") throw new GarbledStream("an event has no version");
    this.#heard++;
    if (first !== undefined && this.#position === undefined) return this.#collect(event, first, version);
    if (event.type === "DELETED") this.#store.remove(this.keep(event.object as Stored<T>));
    else if (event.type !== "BOOKMARK") this.#store.put(this.keep(event.object as Stored<T>));
    this.#advance(version);
  }

  /** The first list comes as events; it counts when the server says that it is whole. */
  #collect(event: Exclude<WatchEvent, { type: "ERROR" }>, first: Map<string, V>, version: string): void {
    if (event.type === "BOOKMARK") {
      const isEnd = event.object.metadata.annotations?.["k8s.io/initial-events-end"] === "true";
      if (isEnd) this.#replace(first, version);
      return;
    }
    const kept = this.keep(event.object as Stored<T>);
    if (event.type === "DELETED") first.delete(keyOf(kept));
    else first.set(keyOf(kept), kept);
  }

  /** What is kept of an object; the same for what we read and for what we wrote. */
  keep(object: Stored<T>): V {
    const kept = this.#options.project(object);
    return this.#settings.frozen ? frozen(kept) : kept;
  }

  /** The position moves only when everything up to it is in the cache: otherwise what is missing would never come. */
  #replace(objects: Map<string, V>, version: string): void {
    this.#store.replace(objects, version);
    this.#position = version;
    this.#pagesNext = false;
    this.#whenSynced();
    objects.clear();
  }

  #advance(version: string): void {
    this.#position = version;
    this.#store.advance(version);
  }

  async #recover(problem: unknown): Promise<void> {
    if (this.#livedLong) this.#failures = 0;
    if (this.#isRefusalToStream(problem)) {
      this.#canStream = false;
      return;
    }
    this.#pagesNext = this.#position === undefined && !this.#pagesNext;
    const isExpired = problem instanceof ApiError && problem.isExpired;
    // Twice the same garbage from one place: the place itself is bad.
    if (isExpired || (problem instanceof GarbledStream && this.#failures > 0)) this.#position = undefined;
    // A position that is too old is ordinary, once.
    if (!isExpired || this.#failures > 0) this.#options.onTrouble(problem);
    this.#failures++;
    await sleep(this.#pause(problem), undefined, { signal: this.#stop }).catch(() => undefined);
  }

  #isRefusalToStream(problem: unknown): boolean {
    const askedForStream = this.#canStream && this.#position === undefined;
    return askedForStream && problem instanceof ApiError && [400, 422].includes(problem.code);
  }

  #pause(problem: unknown): number {
    const { firstPauseMilliseconds, longestPauseMilliseconds } = this.#settings;
    const wished = problem instanceof ApiError ? (problem.retryAfterSeconds ?? 0) * 1000 : 0;
    const asked = Math.min(wished, longestPauseMilliseconds);
    const growing = Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** (this.#failures - 1));
    return Math.max(asked, growing * (0.5 + Math.random() / 2));
  }
}

/** 410 comes as an event inside a 200 answer. */
function statusError(
  {
    code = 500,
    reason = "Unknown",
    message = "",
  }: { readonly code?: number; readonly reason?: string; readonly message?: string },
  plural: string,
): ApiError {
  const facts = { code, reason, message, causes: [], retryAfterSeconds: undefined };
  return new ApiError(
    { verb: "watch", resource: plural, writes: false },
    facts,
    code === 410 ? "conflict" : "transient",
  );
}
