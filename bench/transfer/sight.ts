import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../src/api/gen/core.ts";
import { type StorageTransferRequest, storageTransferRequests } from "../../src/api/gen/transfer.ts";
import type { KubeObject, ObjectKey, Resource, Stored } from "../../src/api/object.ts";
import { reflect } from "../../src/kube/cache/reflector.ts";
import type { Client } from "../../src/kube/client.ts";

type Until<T extends KubeObject> = (key: ObjectKey, holds: (seen: Stored<T> | undefined) => boolean) => Promise<void>;

/** The benchmark's own eyes: watches, so that it neither polls nor adds requests to what it measures. */
export interface Sight {
  readonly claim: Until<PersistentVolumeClaim>;
  readonly volume: Until<PersistentVolume>;
  readonly request: Until<StorageTransferRequest>;
  close(): Promise<void>;
}

export async function sightOn(client: Client): Promise<Sight> {
  const [claims, volumes, requests] = [
    watched(client, persistentVolumeClaims),
    watched(client, persistentVolumes),
    watched(client, storageTransferRequests),
  ];
  const all = [claims, volumes, requests];
  await Promise.all(all.map(({ synced }) => synced));
  return {
    claim: claims.until,
    volume: volumes.until,
    request: requests.until,
    async close() {
      await Promise.all(all.map(({ stop }) => stop()));
    },
  };
}

function watched<T extends KubeObject>(client: Client, resource: Resource<T>) {
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
