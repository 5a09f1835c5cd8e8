import { defined } from "../api/defined.ts";
import type { KubeObject, Resource, Stored } from "../api/object.ts";
import { type Reflector, type ReflectorSettings, reflect } from "../kube/cache/reflector.ts";
import { type Cache, type Indexes, type Kept, keyOf } from "../kube/cache/store.ts";
import type { Client, Where } from "../kube/client.ts";
import { ApiError } from "../kube/errors.ts";
import type { Log } from "./log.ts";
import { sayOnce } from "./say-once.ts";

export interface Wish<T extends KubeObject, V extends Kept> {
  readonly where?: Where;
  /** The same choice as that of a selector in `where`, of what never changes: without it what we write is shown only by the watch. */
  readonly selects?: (object: Stored<T>) => boolean;
  readonly project: (object: Stored<T>) => V;
  readonly indexes?: Indexes<V>;
}

/** Everything a process looks at: one cache a kind, kept equal to the server, and never behind what we wrote ourselves. */
export interface Sources {
  watch<T extends KubeObject, V extends Kept>(resource: Resource<T>, wish: Wish<T, V>): Watched<V>;
  untilSynced(signal?: AbortSignal): Promise<void>;
  /** The kinds whose first list has not come yet. */
  missing(): readonly string[];
  wrote<T extends KubeObject>(resource: Resource<T>, object: Stored<T>): void;
  ended(resource: Resource, key: { readonly namespace?: string; readonly name: string }, uid: string): void;
  stop(): Promise<void>;
}

export interface Watched<V extends Kept> {
  readonly cache: Cache<V>;
  untilSynced(signal?: AbortSignal): Promise<void>;
  /** For a watch that is wanted only for a while. */
  stop(): Promise<void>;
}

export interface SourcesOptions {
  readonly client: Client;
  readonly log: Log;
  readonly settings?: Partial<ReflectorSettings>;
}

interface One {
  readonly resource: Resource;
  readonly where: Where;
  readonly selects: ((object: never) => boolean) | undefined;
  readonly reflector: Reflector<never, Kept>;
  synced: boolean;
}

export function sourcesOf({ client, log, settings }: SourcesOptions): Sources {
  const all = new Set<One>();
  const once = sayOnce(log);

  const showing = (resource: Resource, object: Stored<KubeObject>) =>
    [...all].filter((one) => isSame(one.resource, resource) && shows(one, object));

  return {
    watch(resource, { where = {}, selects, project, indexes }) {
      const name = nameOf(resource);
      const onTrouble = (problem: unknown) =>
        once(`the watch of ${name} has trouble and goes on`, problem, kindOf(problem));
      const reflector = reflect({ client, resource, where, project, onTrouble, ...defined({ indexes, settings }) });
      const one: One = { resource, where, selects, reflector, synced: false };
      all.add(one);
      reflector.untilSynced().then(
        () => {
          one.synced = true;
          log.debug(2, "the first list is in", { resource: name, objects: reflector.cache.size });
        },
        () => undefined,
      );
      return {
        cache: reflector.cache,
        untilSynced: (signal) => reflector.untilSynced(signal),
        async stop() {
          all.delete(one);
          await reflector.stop();
        },
      };
    },
    async untilSynced(signal) {
      await Promise.all([...all].map(({ reflector }) => reflector.untilSynced(signal)));
    },
    missing: () => [...all].filter(({ synced }) => !synced).map(({ resource }) => nameOf(resource)),
    wrote(resource, object) {
      for (const { reflector } of showing(resource, object)) reflector.wrote(object as never);
    },
    ended(resource, key, uid) {
      const place = keyOf({ metadata: { ...key, uid, resourceVersion: "" } });
      // Selected or not: whoever shows the object with this uid shows what is gone.
      for (const one of all) if (isSame(one.resource, resource)) one.reflector.ended(place, uid);
    },
    async stop() {
      // They are still shown what we write: a turn that is under way must not look back behind its own last step.
      await Promise.all([...all].map(({ reflector }) => reflector.stop()));
    },
  };
}

function isSame(a: Resource, b: Resource): boolean {
  return a.group === b.group && a.plural === b.plural;
}

/** Whether a watch shows this object. What a selector leaves out only the server knows, unless somebody says it here. */
function shows({ where, selects }: One, object: Stored<KubeObject>): boolean {
  const { labelSelector, fieldSelector } = where;
  if (where.namespace !== undefined && where.namespace !== object.metadata.namespace) return false;
  return (labelSelector === undefined && fieldSelector === undefined) || selects?.(object as never) === true;
}

function nameOf({ plural, group }: Resource): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** Lists and watches take turns, so one trouble of the server has many words. */
function kindOf(problem: unknown): string | undefined {
  return problem instanceof ApiError ? `${problem.code} ${problem.reason}` : undefined;
}
