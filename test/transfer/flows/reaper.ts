import { persistentVolumes } from "../../../src/api/gen/core.ts";
import type { Client } from "../../../src/kube/client.ts";
import type { Volume } from "../../../src/transfer/watches.ts";
import { followResource } from "../../faults/monitor/follow-resource.ts";

export interface Reaper {
  /** Throws when it has destroyed a volume. */
  mustNotHaveReaped(): void;
  stop(): Promise<void>;
}

/**
 * Stands in for a CSI provisioner, by its one rule: a volume that is seen Released with the policy Delete is destroyed,
 * without a look at anything else. A transfer that ever stores this pair has lost the data.
 */
export async function reaperOf(admin: Client, isOurs: (volume: Volume) => boolean): Promise<Reaper> {
  const stopping = new AbortController();
  const reaped: string[] = [];
  const deaths: Promise<unknown>[] = [];
  const { ended } = await followResource(
    admin,
    persistentVolumes,
    ({ type, object }) => {
      const volume = object as Volume;
      const { metadata, spec, status } = volume;
      const isDoomed = status?.phase === "Released" && spec?.persistentVolumeReclaimPolicy === "Delete";
      if (type === "DELETED" || !isOurs(volume) || !isDoomed || reaped.includes(metadata.uid)) return;
      reaped.push(metadata.uid);
      deaths.push(admin.delete(persistentVolumes, { name: metadata.name, uid: metadata.uid }));
    },
    stopping.signal,
  );
  return {
    mustNotHaveReaped() {
      if (reaped.length > 0) throw new Error("G1 the provisioner has destroyed the volume");
    },
    async stop() {
      stopping.abort(new Error("the reaper has gone home"));
      await Promise.allSettled([ended, ...deaths]);
    },
  };
}
