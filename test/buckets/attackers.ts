import type { TestContext } from "node:test";
import type { Bucket } from "../../src/api/gen/cosi.ts";
import type { Stored } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import { newNamespace } from "../fixture/client.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { mayUse } from "./people.ts";
import { bound, newBucket, type Scene } from "./scene.ts";

export interface Tenant {
  readonly home: string;
  readonly as: Client;
  /** As every test of theirs begins: with a Bucket that they may have. */
  readonly legal: Stored<Bucket>;
}

/** Somebody with a namespace and a class that they may use; what they may do works. */
export async function tenantOf(
  t: TestContext,
  scene: Pick<Scene, "admin" | "cluster">,
  user: string,
  bucketClass: string,
  role: "admin" | "portway-bucket-user" = "admin",
): Promise<Tenant> {
  const { admin, cluster } = scene;
  const home = await newNamespace(t, admin);
  const as = await tenantWith(t, cluster, user, home, role);
  await mayUse(t, cluster, user, bucketClass);
  const legal = await newBucket({ admin: as, namespace: home }, bucketClass);
  await bound({ admin, namespace: home }, legal);
  return { home, as, legal };
}
