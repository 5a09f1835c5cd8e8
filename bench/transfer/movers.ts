import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../src/api/gen/transfer.ts";
import type { Client } from "../../src/kube/client.ts";
import { claimAt, type Disk } from "./disks.ts";
import type { Sight } from "./sight.ts";

/** Moves a volume to the other namespace; answers how many milliseconds that took. */
export type Mover = (disk: Disk) => Promise<number>;

let serial = 0;

/** Asked for and approved; from the second consent until the request says that it is complete. */
export function portwayMover(client: Client, sight: Sight): Mover {
  return async ({ here, there }) => {
    const n = serial++;
    const [request, approval] = [`request-${n}`, `approval-${n}`];
    const apiVersion = "transfer.portway.dev/v1alpha1";
    await client.create(storageTransferRequests, {
      apiVersion,
      kind: "StorageTransferRequest",
      metadata: { namespace: there.namespace, name: request },
      spec: { source: { ...here, kind: "PersistentVolumeClaim" }, approvalName: approval, targetName: there.name },
    });
    const start = performance.now();
    await client.create(storageTransferApprovals, {
      apiVersion,
      kind: "StorageTransferApproval",
      metadata: { namespace: here.namespace, name: approval },
      spec: {
        source: { name: here.name, kind: "PersistentVolumeClaim" },
        targetNamespace: there.namespace,
        requestName: request,
      },
    });
    const place = { namespace: there.namespace, name: request };
    await sight.request(place, (seen) => seen?.status?.complete === true);
    return performance.now() - start;
  };
}

/**
 * The same move in the order of CDI's ObjectTransfer, by a plain script that survives nothing: Retain, delete the source,
 * claimRef by name, create the target, wait, policy back.
 */
export function scriptMover(client: Client, sight: Sight): Mover {
  const policy = (persistentVolumeReclaimPolicy: string) => ({ spec: { persistentVolumeReclaimPolicy } });
  return async ({ volume, here, there }) => {
    const start = performance.now();
    const { uid } = (await client.get(persistentVolumeClaims, here)).metadata;
    await client.merge(persistentVolumes, { name: volume }, policy("Retain"));
    await client.delete(persistentVolumeClaims, { ...here, uid });
    await sight.claim(here, (seen) => seen?.metadata.uid !== uid);
    const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", ...there };
    await client.patch(persistentVolumes, { name: volume }, [
      { op: "replace", path: "/spec/claimRef", value: claimRef },
    ]);
    await client.create(persistentVolumeClaims, claimAt(there, volume));
    await sight.claim(there, (seen) => seen?.status?.phase === "Bound");
    await client.merge(persistentVolumes, { name: volume }, policy("Delete"));
    return performance.now() - start;
  };
}
