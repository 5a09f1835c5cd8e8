import { configMaps } from "../../../src/api/gen/core.ts";
import type { KubeObject, Stored } from "../../../src/api/object.ts";
import type { Client } from "../../../src/kube/client.ts";

/** Where a case acts, on the real server and in the model alike. */
export interface Ground {
  readonly client: Client;
  readonly namespace: string;
  /** A name of this run's own, for what has no namespace. */
  readonly volumeName: string;
}

/** What is asked last is what both must answer alike. */
export type Case = readonly [says: string, ask: (ground: Ground) => Promise<unknown>];

export const keyOf = ({ metadata: { namespace, name, uid } }: Stored<KubeObject>) =>
  namespace === undefined ? { name, uid } : { namespace, name, uid };

export async function note(
  { client, namespace }: Ground,
  finalizers: readonly string[] = [],
  name = "note",
): Promise<Stored<KubeObject>> {
  const metadata = { namespace, name, ...(finalizers.length === 0 ? {} : { finalizers }) };
  return await client.create(configMaps, { metadata, data: { text: "first" } });
}

export const two = ["portway.dev/a", "portway.dev/b"];
