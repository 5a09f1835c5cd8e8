import {
  CoreV1Api,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
  Watch,
} from "@kubernetes/client-node";
import { type Place, runSubject } from "./subject.ts";

const claimsPath = "/api/v1/persistentvolumeclaims";
const volumesPath = "/api/v1/persistentvolumes";

/** The official client for JavaScript, as its manual says. */
await runSubject(async ({ kubeconfig, claim }: Place) => {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  return {
    async sync() {
      const sizes = await Promise.all([
        filled(config, claimsPath, () => core.listPersistentVolumeClaimForAllNamespaces()),
        filled(config, volumesPath, () => core.listPersistentVolume()),
      ]);
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    get: () => core.readNamespacedPersistentVolumeClaim(claim),
    watch: () => watchOnce(config),
  };
});

/** Its informer has no signal for "synced"; it is when as many were added as were listed. */
async function filled<T extends KubernetesObject>(
  config: KubeConfig,
  path: string,
  list: () => Promise<KubernetesListObject<T>>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let listed = Number.POSITIVE_INFINITY;
  let added = 0;
  const informer = makeInformer(config, path, async () => {
    const answer = await list();
    listed = answer.items.length;
    return answer;
  });
  informer.on("add", () => {
    if (++added === listed) resolve(added);
  });
  informer.on("error", reject);
  informer.start().catch(reject);
  return await promise;
}

async function watchOnce(config: KubeConfig): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const query = { allowWatchBookmarks: true, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
  let events = 0;
  const request = await new Watch(config).watch(
    claimsPath,
    query,
    (type) => {
      if (type === "BOOKMARK") resolve(events);
      else events++;
    },
    (problem) => reject(problem ?? new Error("the watch ended before its first list was whole")),
  );
  const seen = await promise;
  request.abort();
  return seen;
}
