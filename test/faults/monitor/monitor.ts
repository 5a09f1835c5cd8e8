import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject, Resource, Stored } from "../../../src/api/object.ts";
import { keyOf } from "../../../src/kube/cache/store.ts";
import { isAtLeast } from "../../../src/kube/cache/versions.ts";
import type { Client } from "../../../src/kube/client.ts";
import { type Following, followResource } from "./follow-resource.ts";
import { currentOf, type StateRule, type Version, type Violation, violationsOf } from "./version.ts";

export interface Watched {
  readonly resource: Resource;
  /** Only these namespaces; all when it is left out. */
  readonly namespaces?: readonly string[];
  /** Only these objects; for kinds without a namespace. */
  readonly only?: (object: Stored<KubeObject>) => boolean;
}

export interface MonitorOptions {
  /** Straight to the server, as the admin; whoever opened it closes it, after the monitor. */
  readonly client: Client;
  readonly watched: readonly Watched[];
  readonly rules?: readonly StateRule[];
}

/** Sees every version that the server stores, and judges each by what was stored before it. */
export interface Monitor {
  violations(): readonly Violation[];
  /** Every version in the order in which the server stored them, of one resource or of all. */
  history(resource?: string): readonly Version[];
  /** What is there now, as far as it was seen. */
  current(resource?: string): readonly Version[];
  /** Forgets how things came to be as they are now: rules look at the whole history, again and again. */
  forget(): void;
  /**
   * Resolves when what is stored now has been seen; throws when a version was missed for good. An object that was made
   * and deleted in the very last moment before the call may still be on its way: be quiet first.
   */
  caughtUp(signal?: AbortSignal): Promise<void>;
  /** Throws when a version was missed for good. */
  close(): Promise<void>;
}

interface Followed {
  readonly watched: Watched;
  readonly following: Following;
}

const lookAgainMilliseconds = 10;

/** Resolves when it has seen all there is. */
export async function monitor({ client, watched, rules = [] }: MonitorOptions): Promise<Monitor> {
  /** Not judged yet: every kind has a watch of its own, and what was stored later may be told first. */
  const arrived: Version[] = [];
  const history: Version[] = [];
  const violations: Violation[] = [];
  const stopping = new AbortController();
  let failure: unknown;

  const tell = (its: Watched) => (version: Version) => {
    if (isMeant(its, version.object)) arrived.push(version);
  };
  const judge = () => {
    for (const version of arrived.splice(0).sort(byAge)) {
      violations.push(...violationsOf(version, history, rules));
      history.push(version);
    }
  };
  const followed = await Promise.all(
    watched.map(async (its): Promise<Followed> => {
      const following = await followResource(client, its.resource, tell(its), stopping.signal);
      following.ended.catch((problem: unknown) => void (failure ??= problem));
      return { watched: its, following };
    }),
  );
  const of = (versions: readonly Version[], resource?: string) =>
    versions.filter((version) => resource === undefined || version.resource === resource);
  const mustBeWhole = () => {
    if (failure !== undefined) throw failure as Error;
  };

  async function reaches({ watched, following }: Followed, signal?: AbortSignal): Promise<void> {
    const { version, stored } = await storedNow(client, watched);
    for (;;) {
      mustBeWhole();
      if (isAtLeast(following.position(), version)) return;
      const seen = of(currentOf([...history, ...arrived]), watched.resource.plural);
      if (isSame(stored, seen)) return;
      await sleep(lookAgainMilliseconds, undefined, signal === undefined ? {} : { signal });
    }
  }

  return {
    violations: () => (judge(), [...violations]),
    history: (resource) => (judge(), of(history, resource)),
    current: (resource) => (judge(), of(currentOf(history), resource)),
    forget() {
      judge();
      history.splice(0, history.length, ...currentOf(history));
    },
    async caughtUp(signal) {
      await Promise.all(followed.map((one) => reaches(one, signal)));
      mustBeWhole();
    },
    async close() {
      stopping.abort(new Error("the monitor is closed"));
      await Promise.allSettled(followed.map(({ following }) => following.ended));
      mustBeWhole();
    },
  };
}

/** One server counts the versions of all kinds in one row. */
function byAge(a: Version, b: Version): number {
  if (a.resourceVersion === b.resourceVersion) return 0;
  return isAtLeast(a.resourceVersion, b.resourceVersion) ? 1 : -1;
}

function isMeant({ namespaces, only }: Watched, object: Stored<KubeObject>): boolean {
  const isInside = namespaces === undefined || namespaces.includes(object.metadata.namespace ?? "");
  return isInside && (only === undefined || only(object));
}

interface StoredNow {
  readonly version: string;
  /** From the key to identity and version. */
  readonly stored: ReadonlyMap<string, string>;
}

async function storedNow(client: Client, watched: Watched): Promise<StoredNow> {
  const stored = new Map<string, string>();
  let version = "";
  for await (const page of client.pages(watched.resource)) {
    for (const object of page.items)
      if (isMeant(watched, object))
        stored.set(keyOf(object), `${object.metadata.uid} ${object.metadata.resourceVersion}`);
    version = page.resourceVersion;
  }
  return { version, stored };
}

function isSame(stored: ReadonlyMap<string, string>, seen: readonly Version[]): boolean {
  const same = ({ key, uid, resourceVersion }: Version) => stored.get(key) === `${uid} ${resourceVersion}`;
  return stored.size === seen.length && seen.every(same);
}
