import { laneOf, turns } from "./turns.ts";

/** What the metrics of a queue are told. */
export interface QueueWatcher {
  added(): void;
  started(waitedSeconds: number): void;
  done(workedSeconds: number): void;
  depth(keys: number): void;
}

export interface QueueOptions {
  readonly workers: number;
  /** Deals with one key. Must not reject: what can go wrong is the business of the loop. */
  readonly work: (key: string) => Promise<void>;
  readonly watcher?: QueueWatcher;
  readonly now?: () => number;
}

/** Keys to be looked at: each once however often it is named, never by two workers, and no namespace before its turn. */
export interface Queue {
  readonly depth: number;
  readonly running: number;
  add(key: string): void;
  /** Not before this many milliseconds; the earliest wish counts. */
  addAfter(key: string, milliseconds: number): void;
  /** A worker that waits for something that may never come lends its place to others; the key stays taken. */
  lend(key: string): void;
  /** How long the keys that are being worked on have been so, in seconds. */
  runningSeconds(): readonly number[];
  /** Begins no more work, and resolves when the last key is done. */
  drained(): Promise<void>;
}

/** The longest a timer of Node can wait. */
const longestTimer = 2 ** 31 - 1;

interface Delayed {
  readonly at: number;
  readonly timer: NodeJS.Timeout;
}

export function queueOf({ workers, work, watcher, now = () => performance.now() }: QueueOptions): Queue {
  const ready = turns();
  const since = new Map<string, number>();
  const started = new Map<string, number>();
  const lent = new Set<string>();
  const again = new Set<string>();
  const delayed = new Map<string, Delayed>();
  const lanes = new Map<string, number>();
  const idle = Promise.withResolvers<void>();
  let closed = false;

  const busy = () => started.size - lent.size;

  /** The last free worker is kept for a namespace that has none, so that a tenant whose work hangs cannot take them all. */
  function mayRun(lane: string): boolean {
    return workers === 1 || busy() < workers - 1 || (lanes.get(lane) ?? 0) === 0;
  }

  const next = () => (busy() < workers ? ready.take(mayRun) : undefined);

  function begin(): void {
    if (closed) return;
    for (let key = next(); key !== undefined; key = next()) void run(key);
  }

  async function run(key: string): Promise<void> {
    const lane = laneOf(key);
    const start = now();
    started.set(key, start);
    lanes.set(lane, (lanes.get(lane) ?? 0) + 1);
    watcher?.started((start - (since.get(key) ?? start)) / 1000);
    watcher?.depth(ready.size);
    since.delete(key);
    await work(key);
    started.delete(key);
    lent.delete(key);
    leave(lane);
    watcher?.done((now() - start) / 1000);
    if (again.delete(key)) add(key);
    if (closed && started.size === 0) idle.resolve();
    begin();
  }

  function leave(lane: string): void {
    const left = (lanes.get(lane) ?? 1) - 1;
    if (left === 0) lanes.delete(lane);
    else lanes.set(lane, left);
  }

  function add(key: string): void {
    if (closed) return;
    clearTimeout(delayed.get(key)?.timer);
    delayed.delete(key);
    if (started.has(key)) return void again.add(key);
    if (since.has(key)) return;
    since.set(key, now());
    ready.add(key);
    watcher?.added();
    watcher?.depth(ready.size);
    begin();
  }

  return {
    get depth() {
      return ready.size;
    },
    get running() {
      return started.size;
    },
    add,
    addAfter(key, milliseconds) {
      const at = now() + milliseconds;
      const other = delayed.get(key);
      if (closed || (other !== undefined && other.at <= at)) return;
      clearTimeout(other?.timer);
      delayed.set(key, { at, timer: setTimeout(() => add(key), Math.min(milliseconds, longestTimer)) });
    },
    lend(key) {
      if (!started.has(key)) return;
      lent.add(key);
      begin();
    },
    runningSeconds: () => [...started.values()].map((start) => (now() - start) / 1000),
    async drained() {
      closed = true;
      for (const { timer } of delayed.values()) clearTimeout(timer);
      delayed.clear();
      if (started.size === 0) idle.resolve();
      await idle.promise;
    },
  };
}
