import type { ObjectKey, Resource } from "../../../src/api/object.ts";
import type { Client } from "../../../src/kube/client.ts";
import { ApiError } from "../../../src/kube/errors.ts";

/** Deletes what is there; gone already is as good. */
export async function drop(admin: Client, resource: Resource, key: ObjectKey, wanted?: string): Promise<void> {
  const uid = wanted ?? (await admin.find(resource, key))?.metadata.uid;
  if (uid === undefined) return;
  try {
    await admin.delete(resource, { ...key, uid });
  } catch (problem) {
    if (!(problem instanceof ApiError && problem.trouble === "conflict")) throw problem;
  }
}
