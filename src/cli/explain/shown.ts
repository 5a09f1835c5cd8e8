import type { KubeObject, Resource, Stored } from "../../api/object.ts";
import { type Kept, type Store, storeOf } from "../../kube/cache/store.ts";
import type { Sources, Wish } from "../../runtime/sources.ts";
import type { Eyes } from "../kubectl/eyes.ts";

/** Sources for the engine's own watches, over what a person was shown instead of over everything. */
export interface Shown {
  readonly sources: Sources;
  show<T extends KubeObject>(resource: Resource<T>, ...objects: readonly (Stored<T> | undefined)[]): void;
}

export function nothingShown(eyes: Eyes): Shown {
  const open = new Map<string, { readonly store: Store<Kept>; readonly project: (object: never) => Kept }>();

  function watch<T extends KubeObject, V extends Kept>(resource: Resource<T>, wish: Wish<T, V>) {
    const { where, project, indexes = {} } = wish;
    const store = storeOf<V>(indexes, (problem) => {
      throw problem as Error;
    });
    open.set(resource.plural, { store, project });
    return {
      cache: store,
      /** Only pods are looked for by the engine itself, in one namespace. */
      async untilSynced() {
        if (where?.namespace === undefined) return;
        const sight = await eyes.list(resource, where);
        for (const object of sight.is === "seen" ? sight.value : []) store.put(project(object));
      },
      async stop() {},
    };
  }

  const sources: Sources = {
    watch,
    async untilSynced() {},
    missing: () => [],
    wrote() {},
    ended() {},
    async stop() {},
  };
  return {
    sources,
    show(resource, ...objects) {
      const kept = open.get(resource.plural);
      for (const object of objects) if (object !== undefined) kept?.store.put(kept.project(object as never));
    },
  };
}
