import type { TestContext } from "node:test";
import type { Client } from "../../src/kube/client.ts";
import { type BucketSettings, startBucketDriver } from "../driver/bucket.ts";
import { freshPlace, type TestPlace } from "../driver/place.ts";
import type { RunningDriver } from "../driver/serve.ts";
import type { LaneCluster } from "../fixture/lane.ts";
import { type DriverPlace, driverPlace, type Measured, sidecarOf } from "./world.ts";

/** A driver that does what its script says, in this process, with the sidecar that ships and its rights. */
export interface Scripted extends DriverPlace {
  readonly place: TestPlace;
  readonly sidecar: Measured;
  /** Puts it there, or another one in its place. */
  serve(settings?: Partial<BucketSettings>): Promise<RunningDriver>;
}

interface Wanted {
  /** A name that somebody else may have. */
  readonly name?: string;
  readonly flags?: readonly string[];
}

export async function scriptedDriver(
  t: TestContext,
  { cluster }: { readonly cluster: LaneCluster; readonly admin: Client },
  { name, flags }: Wanted = {},
): Promise<Scripted> {
  const place = await freshPlace(t);
  const where = { ...(await driverPlace(t, cluster, name)), socket: `unix://${place.socket}` };
  let running: RunningDriver | undefined;
  t.after(() => running?.stop());
  return {
    ...where,
    place,
    sidecar: await sidecarOf(t, cluster, where, flags),
    async serve(settings = {}) {
      await running?.stop();
      running = await startBucketDriver(place, { name: where.name, ...settings });
      return running;
    },
  };
}
