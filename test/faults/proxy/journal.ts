import type { WriteRecord, Writing } from "./write-record.ts";

/** Every write that came by, in the order of arrival. */
export interface Journal {
  log(): readonly WriteRecord[];
  /** A place in the log, for `since`. */
  mark(): number;
  since(mark: number): readonly WriteRecord[];
  /**
   * Resolves when no write has arrived or been under way for this long, counted from now on; upkeep apart. Throws, with
   * the writes that are still under way, when that takes minutes: whoever waits would otherwise wait for ever.
   */
  quiet(milliseconds: number): Promise<void>;
}

export interface Writer {
  begin(record: Omit<Writing, "n">): Writing;
  end(record: WriteRecord): void;
}

interface Listener {
  readonly milliseconds: number;
  readonly resolve: () => void;
  timer?: NodeJS.Timeout | undefined;
}

const longestMilliseconds = 180_000;

export function journal(): Journal & Writer {
  const records: WriteRecord[] = [];
  const underWay = new Set<WriteRecord>();
  const listeners = new Set<Listener>();
  let sites = 0;

  /** The time runs only while nothing is under way, and begins anew with every write. */
  function restart(listener: Listener): void {
    clearTimeout(listener.timer);
    listener.timer = underWay.size === 0 ? setTimeout(listener.resolve, listener.milliseconds) : undefined;
  }

  return {
    log: () => [...records],
    mark: () => records.length,
    since: (mark) => records.slice(mark),
    async quiet(milliseconds) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const listener: Listener = { milliseconds, resolve };
      const giveUp = setTimeout(() => reject(new Error(neverQuiet(underWay))), longestMilliseconds);
      listeners.add(listener);
      restart(listener);
      try {
        await promise;
      } finally {
        clearTimeout(listener.timer);
        clearTimeout(giveUp);
        listeners.delete(listener);
      }
    },
    begin(record) {
      const written = { n: record.upkeep ? 0 : ++sites, ...record };
      records.push(written);
      if (written.upkeep) return written;
      underWay.add(written);
      for (const listener of listeners) restart(listener);
      return written;
    },
    end(record) {
      if (underWay.delete(record)) for (const listener of listeners) restart(listener);
    },
  };
}

function neverQuiet(underWay: ReadonlySet<WriteRecord>): string {
  const writes = [...underWay].map(({ n, verb, resource, name, fault, code }) =>
    [`write ${n}:`, verb, resource, name ?? "", fault?.kind ?? "", code ?? "not answered"].join(" "),
  );
  return `writes went on for ${longestMilliseconds / 60_000} minutes; under way: ${writes.join("; ") || "none"}`;
}
