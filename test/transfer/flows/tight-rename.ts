import { persistentVolumeClaims, resourceQuotas } from "../../../src/api/gen/core.ts";
import { ApiError } from "../../../src/kube/errors.ts";
import type { Flow, Stage } from "../../faults/sweep/flow.ts";
import { until } from "../../fixture/portway.ts";
import { rename } from "./flows.ts";
import { whenReserved } from "./tenants.ts";
import { approve, ask, boundClaim, type World } from "./world.ts";

type Admin = Pick<Stage, "admin">;

/** From now on there is room for one claim, and the source has it. */
async function roomForOne({ from: namespace }: World, { admin }: Admin): Promise<void> {
  const hard = { "count/persistentvolumeclaims": "1" };
  await admin.create(resourceQuotas, { metadata: { namespace, name: "one" }, spec: { hard } });
  await until("the quota counts", async () => {
    const { status } = await admin.get(resourceQuotas, { namespace, name: "one" });
    return status?.used?.["count/persistentvolumeclaims"] === "1";
  });
}

/** The quota hears late of a claim that goes, and how often the target is refused until then is a matter of luck. */
async function untilThereIsRoom({ from: namespace, className }: World, { admin }: Admin): Promise<void> {
  const probe = {
    metadata: { namespace, name: "probe" },
    spec: {
      accessModes: ["ReadWriteOnce" as const],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: className,
    },
  };
  await until("there is room for a claim", async () => {
    try {
      await admin.create(persistentVolumeClaims, probe, { dryRun: true });
      return true;
    } catch (problem) {
      if (problem instanceof ApiError && problem.isQuotaExceeded) return false;
      throw problem;
    }
  });
}

/** There is no room for two claims, so the target comes last: the journal alone keeps the volume in between. */
export const tightRename: Flow<World> = {
  ...rename,
  name: "rename in a namespace with room for one",
  async begin(stage) {
    const world = await boundClaim(stage, { renames: true, hasReaper: true });
    await roomForOne(world, stage);
    whenReserved(world, () => untilThereIsRoom(world, stage));
    await approve(world, stage);
    await ask(world, stage);
    return world;
  },
};
