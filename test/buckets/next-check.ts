import type { Bucket } from "../../src/api/gen/cosi.ts";
import { buckets } from "../../src/api/gen/cosi.ts";
import type { Stored } from "../../src/api/object.ts";
import { keyOf } from "../fixture/client.ts";
import { newBucket, type Scene } from "./scene.ts";

const hopes = 5000;

/**
 * A Bucket that is looked at among the first when the controller starts again. Nobody watches Secrets, so each Bucket has a
 * moment of its own in every ten minutes, by the beginning of its uid. Only while no controller runs: the others are thrown away.
 */
export async function soonChecked(
  scene: Pick<Scene, "admin" | "namespace">,
  bucketClassName: string,
): Promise<Stored<Bucket>> {
  for (let tries = 0; tries < hopes; tries++) {
    const bucket = await newBucket(scene, bucketClassName);
    if (bucket.metadata.uid.startsWith("ff")) return bucket;
    await scene.admin.delete(buckets, keyOf(bucket));
  }
  throw new Error("no uid of so many is fit");
}
