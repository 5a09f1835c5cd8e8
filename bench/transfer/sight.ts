import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../src/api/gen/core.ts";
import { type StorageTransferRequest, storageTransferRequests } from "../../src/api/gen/transfer.ts";
import type { Client } from "../../src/kube/client.ts";
import { type Until, watched } from "../watched.ts";

/** The benchmark's own eyes: watches, so that it neither polls nor adds requests to what it measures. */
export interface Sight {
  readonly claim: Until<PersistentVolumeClaim>;
  readonly volume: Until<PersistentVolume>;
  readonly request: Until<StorageTransferRequest>;
  close(): Promise<void>;
}

export async function sightOn(client: Client): Promise<Sight> {
  const [claims, volumes, requests] = [
    watched(client, persistentVolumeClaims),
    watched(client, persistentVolumes),
    watched(client, storageTransferRequests),
  ];
  const all = [claims, volumes, requests];
  await Promise.all(all.map(({ synced }) => synced));
  return {
    claim: claims.until,
    volume: volumes.until,
    request: requests.until,
    async close() {
      await Promise.all(all.map(({ stop }) => stop()));
    },
  };
}
