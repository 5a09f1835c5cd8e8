import { type Lease, leases } from "../../api/gen/coordination.ts";
import type { Stored } from "../../api/object.ts";
import type { Client } from "../../kube/client.ts";
import { ApiError } from "../../kube/errors.ts";
import { LeaseInDoubt } from "../../runtime/hand.ts";

/** Vendors' roles let us get, create and update Leases, and nothing else. */
export type PageClient = Pick<Client, "find" | "create" | "update">;

export interface PageOptions {
  readonly client: PageClient;
  readonly namespace: string;
  readonly name: string;
  readonly holdsLease: () => boolean;
  /** What was taken away need not be stored at once: until then it rides along with what comes. */
  readonly restMilliseconds: number;
  readonly onTrouble: (problem: unknown) => void;
}

/** One Lease of the book. Everything that came while a write was under way is stored by the next one, together. */
export interface Page {
  /** What its annotations take up, in bytes. */
  readonly size: number;
  /** What is stored already, by annotation; undefined when there is no such Lease. */
  load(signal: AbortSignal): Promise<ReadonlyMap<string, string> | undefined>;
  /** Resolves when it is stored. */
  put(mark: string, text: string): Promise<void>;
  take(mark: string): void;
  /** Resolves when what was taken away is not stored any more. */
  gone(mark: string): Promise<void>;
  stored(): Promise<void>;
}

export function pageOf({ client, namespace, name, holdsLease, restMilliseconds, onTrouble }: PageOptions): Page {
  const ours = new Map<string, string>();
  /** Taken away by us, and perhaps still stored. Whatever else is there belongs to somebody else, and stays. */
  const taken = new Set<string>();
  /** What ours take up, and what else is there and stays: kept up to date, because every intent that is opened asks. */
  let oursBytes = 0;
  let othersBytes = 0;
  let seen: Stored<Lease> | undefined;
  let isKnown = false;
  let wished = 0;
  let done = 0;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** What the Lease is to say: ours, and whatever is there and was not taken away by us. */
  function wishedFor(gone: ReadonlySet<string>): Record<string, string> {
    const others = Object.entries(seen?.metadata.annotations ?? {}).filter(([mark]) => !gone.has(mark));
    return { ...Object.fromEntries(others), ...Object.fromEntries(ours) };
  }

  function keep(mark: string, text: string): void {
    drop(mark);
    ours.set(mark, text);
    oursBytes += bytesOf(mark, text);
  }

  function drop(mark: string): void {
    const text = ours.get(mark);
    if (text !== undefined) oursBytes -= bytesOf(mark, text);
    ours.delete(mark);
  }

  function weighOthers(): void {
    const all = Object.entries(seen?.metadata.annotations ?? {});
    const others = all.filter(([mark]) => !ours.has(mark) && !taken.has(mark));
    othersBytes = others.reduce((sum, [mark, text]) => sum + bytesOf(mark, text), 0);
  }

  async function write(): Promise<void> {
    const version = wished;
    const gone = new Set(taken);
    if (!isKnown) seen = await client.find(leases, { namespace, name });
    isKnown = true;
    const annotations = wishedFor(gone);
    if (!holdsLease()) throw new LeaseInDoubt();
    try {
      seen =
        seen === undefined
          ? await client.create(leases, { metadata: { namespace, name, annotations }, spec: {} })
          : await client.update(leases, { ...seen, metadata: { ...seen.metadata, annotations } });
    } catch (problem) {
      // It may be stored or not: what is there now decides.
      isKnown = false;
      if (problem instanceof ApiError && (problem.trouble === "conflict" || problem.isNotFound)) return;
      throw problem;
    }
    for (const mark of gone) if (!ours.has(mark)) taken.delete(mark);
    done = version;
    weighOthers();
  }

  async function writeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    while (done < wished) await write();
  }

  function flushed(): Promise<void> {
    writing ??= writeAll().finally(() => void (writing = undefined));
    return writing;
  }

  /** A write that was under way when it came does not have it yet. */
  async function storedUpTo(version: number): Promise<void> {
    if (done >= version) return;
    await flushed();
    await storedUpTo(version);
  }

  function later(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      flushed().catch((problem: unknown) => {
        onTrouble(problem);
        later();
      });
    }, restMilliseconds);
    timer.unref();
  }

  return {
    get size() {
      return oursBytes + othersBytes;
    },
    async load(signal) {
      seen = await client.find(leases, { namespace, name }, { signal });
      isKnown = true;
      weighOthers();
      return seen === undefined ? undefined : new Map(Object.entries(seen.metadata.annotations ?? {}));
    },
    async put(mark, text) {
      keep(mark, text);
      taken.delete(mark);
      const version = ++wished;
      try {
        await storedUpTo(version);
      } catch (problem) {
        // Nothing was begun under it: if it is stored after all, it must not stay there.
        drop(mark);
        taken.add(mark);
        wished++;
        if (!(problem instanceof ApiError && problem.code === 403)) later();
        throw problem;
      }
    },
    take(mark) {
      const isOthers = !ours.has(mark);
      drop(mark);
      taken.add(mark);
      // Left by whoever led before.
      if (isOthers) weighOthers();
      wished++;
      later();
    },
    async gone(mark) {
      if (taken.has(mark)) await flushed();
    },
    async stored() {
      await storedUpTo(wished);
    },
  };
}

function bytesOf(mark: string, text: string): number {
  return mark.length + Buffer.byteLength(text);
}
