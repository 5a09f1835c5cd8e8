import type { KubeObject, ObjectKey, Resource, Stored } from "../src/api/object.ts";
import { reflect } from "../src/kube/cache/reflector.ts";
import type { Client } from "../src/kube/client.ts";

export type Until<T extends KubeObject> = (
  key: ObjectKey,
  holds: (seen: Stored<T> | undefined) => boolean,
) => Promise<void>;

/** The benchmark's own eyes on a kind: a watch, so that it neither polls nor adds requests to what it measures. */
export function watched<T extends KubeObject>(client: Client, resource: Resource<T>) {
  // It goes on by itself; a watch that stayed away would be seen in the figures.
  const onTrouble = () => undefined;
  const reflector = reflect({ client, resource, project: (object: Stored<T>) => object, onTrouble });
  const { cache } = reflector;
  const until: Until<T> = async ({ namespace, name }, holds) => {
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (holds(cache.get(key))) resolve();
    };
    const forget = cache.onChange(look);
    look();
    await promise.finally(forget);
  };
  return { until, synced: reflector.untilSynced(), stop: () => reflector.stop() };
}
