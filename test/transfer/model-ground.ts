import { persistentVolumes } from "../../src/api/gen/core.ts";
import { storageClasses, volumeAttachments } from "../../src/api/gen/storage.ts";
import {
  storageTransferApprovals,
  storageTransferPolicies,
  storageTransferRequests,
} from "../../src/api/gen/transfer.ts";
import { worldWith } from "../explore/model/client.ts";
import { coreKinds, customKind } from "../explore/model/kinds.ts";
import { emptyServer } from "../explore/model/server.ts";

const kinds = [
  ...coreKinds,
  ...[
    storageTransferRequests,
    storageTransferApprovals,
    storageTransferPolicies,
    storageClasses,
    volumeAttachments,
  ].map(customKind),
];

/** Two namespaces and a volume with the policy Delete that is nobody's yet. */
export async function worldWithVolume(volumeName: string, ...namespaces: readonly string[]) {
  const holder = await worldWith(emptyServer(kinds), ...namespaces);
  await holder.client.create(persistentVolumes, {
    metadata: { name: volumeName },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      storageClassName: "fast",
      persistentVolumeReclaimPolicy: "Delete",
      csi: { driver: "model.portway.dev", volumeHandle: "handle" },
    },
  });
  return holder;
}
