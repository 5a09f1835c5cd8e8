import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../src/api/gen/core.ts";
import type { Resource, Stored } from "../../src/api/object.ts";
import { reflect } from "../../src/kube/cache/reflector.ts";
import { follow } from "../../src/kube/cache/watch-events.ts";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../connect.ts";
import { type Place, runSubject } from "./subject.ts";

/** Portway's own client, as a controller uses it. */
await runSubject(async ({ kubeconfig, claim }: Place) => {
  const client = await connect(kubeconfig);
  return {
    async sync() {
      const caches = [mirrored(client, persistentVolumeClaims), mirrored(client, persistentVolumes)];
      await Promise.all(caches.map((reflector) => reflector.untilSynced()));
      return caches.reduce((sum, { cache }) => sum + cache.size, 0);
    },
    get: () => client.get(persistentVolumeClaims, claim),
    watch: () => watchOnce(client),
  };
});

function mirrored<T extends PersistentVolume | PersistentVolumeClaim>(client: Client, resource: Resource<T>) {
  return reflect({ client, resource, project: kept, onTrouble: (problem) => console.error(problem) });
}

/** All that a controller could ask for: everything but who wrote which field. */
function kept<T extends PersistentVolume | PersistentVolumeClaim>({ metadata, spec, status }: Stored<T>) {
  const {
    name,
    namespace,
    uid,
    resourceVersion,
    creationTimestamp,
    deletionTimestamp,
    labels,
    annotations,
    finalizers,
    ownerReferences,
  } = metadata;
  return {
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
      deletionTimestamp,
      labels,
      annotations,
      finalizers,
      ownerReferences,
    },
    spec,
    status,
  };
}

async function watchOnce(client: Client): Promise<number> {
  const enough = new AbortController();
  const query = { allowWatchBookmarks: "true", sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan" };
  const { body } = await client.watch(persistentVolumeClaims, {}, query, { signal: enough.signal });
  let events = 0;
  const following = follow(
    body,
    ({ type }) => {
      if (type === "BOOKMARK") enough.abort();
      else events++;
    },
    { silentMilliseconds: 60_000, signal: enough.signal },
  );
  await following.catch((problem: unknown) => {
    if (!enough.signal.aborted) throw problem;
  });
  return events;
}
