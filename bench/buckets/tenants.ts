import { namespaces, type Secret, secrets } from "../../src/api/gen/core.ts";
import { type Bucket, bucketClasses, buckets } from "../../src/api/gen/cosi.ts";
import type { ObjectKey, Stored } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import { watched } from "../watched.ts";
import { driverName } from "./processes.ts";

const className = "bench";
const teams = ["team-a", "team-b", "team-c", "team-d", "team-e"] as const;

/** People who ask for Buckets, and the benchmark's own eyes: watches, which add no requests to what is measured. */
export interface Tenants {
  /** From the request until the Secret is there, in milliseconds. */
  ask(at: number): Promise<number>;
  /** From the deletion until nothing is left, in milliseconds. */
  leave(at: number): Promise<number>;
  close(): Promise<void>;
}

export async function tenantsOn(client: Client): Promise<Tenants> {
  await client.create(bucketClasses, {
    metadata: { name: className },
    provisioner: driverName,
    releasePolicy: "Delete",
  });
  for (const name of teams) await client.create(namespaces, { metadata: { name } });
  const [keys, wishes] = [watched<Secret>(client, secrets), watched<Bucket>(client, buckets)];
  await Promise.all([keys.synced, wishes.synced]);
  const asked = new Map<number, Stored<Bucket>>();
  return {
    async ask(at) {
      const place = placeOf(at);
      const spec = { bucketClassName: className, secretName: place.name };
      const start = performance.now();
      asked.set(at, await client.create(buckets, { metadata: place, spec }));
      await keys.until(place, (secret) => secret !== undefined);
      return performance.now() - start;
    },
    async leave(at) {
      const { uid } = (asked.get(at) as Stored<Bucket>).metadata;
      const start = performance.now();
      await client.delete(buckets, { ...placeOf(at), uid });
      await wishes.until(placeOf(at), (bucket) => bucket === undefined);
      return performance.now() - start;
    },
    async close() {
      await Promise.all([keys.stop(), wishes.stop()]);
    },
  };
}

function placeOf(at: number): ObjectKey & { readonly namespace: string } {
  return { namespace: teams[at % teams.length] ?? teams[0], name: `b-${at}` };
}
