import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import type { KubeObject, Resource, Stored } from "../../src/api/object.ts";
import type { Handle } from "../../src/dev/cluster/handle.ts";
import type { Client } from "../../src/kube/client.ts";
import { ApiError } from "../../src/kube/errors.ts";
import { adminClient, keyOf } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";

/** Takes claims and volumes away, held or not: the next controller would go on with them, and write more than its own. */
export async function cleanUp(cluster: Handle): Promise<void> {
  const admin = await adminClient(cluster);
  try {
    for (const resource of [persistentVolumeClaims, persistentVolumes]) {
      await until(`there are no ${resource.plural}`, () => isEmptied(admin, resource));
    }
  } finally {
    await admin.close();
  }
}

async function isEmptied(admin: Client, resource: Resource): Promise<boolean> {
  let found = 0;
  for await (const { items } of admin.pages(resource)) {
    found += items.length;
    for (const object of items) await forceAway(admin, resource, object);
  }
  return found === 0;
}

/** Deleted first: nobody puts a finalizer on what is on its way out. */
async function forceAway(admin: Client, resource: Resource, object: Stored<KubeObject>): Promise<void> {
  try {
    await admin.delete(resource, keyOf(object));
    await admin.merge(resource, object.metadata, { metadata: { finalizers: null } });
  } catch (problem) {
    if (!(problem instanceof ApiError && problem.trouble === "conflict")) throw problem;
  }
}
