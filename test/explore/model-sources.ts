import type { KubeObject, Stored } from "../../src/api/object.ts";
import { frozen } from "../../src/kube/cache/frozen.ts";
import { type Kept, keyOf, type Store, storeOf } from "../../src/kube/cache/store.ts";
import type { Sources } from "../../src/runtime/sources.ts";
import { type Own, type View, type Watch, withOwn } from "./views.ts";

export interface ModelSources {
  readonly sources: Sources;
  /** As they are now, with what was written through these sources. */
  views(): readonly View[];
}

/**
 * The real stores, filled with what a process knows. Which store is shown an own write is decided as in
 * `runtime/sources.ts`, and `views.test.ts` proves that a store filled so equals one that lived through it all.
 */
export function sourcesOn(views: readonly View[]): ModelSources {
  const now = [...views];
  const stores: Shown[] = [];

  function show(is: (view: View) => boolean, own: Own): void {
    for (const [index, view] of now.entries()) {
      if (!is(view)) continue;
      now[index] = withOwn(view, own);
      stores[index]?.(own);
    }
  }

  const sources: Sources = {
    watch(resource, { project, indexes }) {
      const view = now[stores.length];
      if (view === undefined || view.resource.plural !== resource.plural)
        throw new Error("the wiring changes its mind");
      const store = storeOf(indexes ?? {}, fail);
      // The view holds what its resource serves, so the type is the one the resource has.
      const filled = fill(store, view, (object) => frozen(project(object as Stored<never>)));
      stores.push(filled);
      return { cache: store, untilSynced: () => Promise.resolve(), stop: () => Promise.resolve() };
    },
    untilSynced: () => Promise.resolve(),
    missing: () => [],
    wrote(resource, object) {
      show((view) => isWhole(view, resource, object.metadata.namespace), { wrote: frozen(object) });
    },
    ended(resource, key, uid) {
      const place = keyOf({ metadata: { ...key, uid, resourceVersion: "" } });
      show((view) => isWhole(view, resource, key.namespace), { ended: { key: place, uid } });
    },
    stop: () => Promise.resolve(),
  };
  return { sources, views: () => now };
}

type Shown = (own: Own) => void;

export function fill<V extends Kept>(
  store: Store<V>,
  { told, position, own }: View,
  project: (object: Stored<KubeObject>) => V,
): Shown {
  const shown: Shown = (one) => {
    if ("wrote" in one) store.wrote(project(one.wrote));
    else store.ended(one.ended.key, one.ended.uid);
  };
  store.replace(new Map([...told].map(([key, object]) => [key, project(object)])), String(position));
  for (const one of own) shown(one);
  return shown;
}

export function fail(problem: unknown): never {
  throw problem;
}

/** What a selector leaves out only the server knows, so such a view is not shown what we write. */
function isWhole(
  { resource, where }: View,
  { group, plural }: Watch["resource"],
  namespace: string | undefined,
): boolean {
  const isSame = resource.group === group && resource.plural === plural;
  const isAnywhere = where.namespace === undefined || where.namespace === namespace;
  return isSame && isAnywhere && where.labelSelector === undefined && where.fieldSelector === undefined;
}

/** What the wiring asks for, without a server. */
export function watchesOf(wire: (sources: Sources) => unknown): readonly Watch[] {
  const watches: Watch[] = [];
  wire({
    watch(resource, { where = {}, indexes }) {
      watches.push({ resource, where });
      const cache = storeOf(indexes ?? {}, fail);
      return { cache, untilSynced: () => Promise.resolve(), stop: () => Promise.resolve() };
    },
    untilSynced: () => Promise.resolve(),
    missing: () => [],
    wrote: () => undefined,
    ended: () => undefined,
    stop: () => Promise.resolve(),
  });
  return watches;
}
