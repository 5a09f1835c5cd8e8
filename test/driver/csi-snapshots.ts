import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type CreateSnapshotRequest,
  CreateSnapshotRequestSchema,
  type DeleteSnapshotRequest,
  type GetSnapshotRequest,
  type ListSnapshotsRequest,
  type SnapshotSchema,
} from "../../src/rpc/gen/csi_pb.js";
import type { Csi } from "./csi.ts";
import { type StoredSnapshot, snapshotDirectory, volumeDirectory } from "./csi-inventory.ts";
import { fingerprint, requireDone, volumeOf } from "./csi-requests.ts";
import { makeWhole, removeWhole } from "./directories.ts";
import { pageOf } from "./pages.ts";
import { Refusal, required } from "./refusal.ts";

export function snapshotAnswers(driver: Csi) {
  return {
    createSnapshot: (request: CreateSnapshotRequest) => ({ snapshot: describe(created(driver, request)) }),
    deleteSnapshot: (request: DeleteSnapshotRequest) => deleted(driver, request),
    getSnapshot: (request: GetSnapshotRequest) => found(driver, request),
    listSnapshots: (request: ListSnapshotsRequest) => listed(driver, request),
  };
}

function created(driver: Csi, request: CreateSnapshotRequest): StoredSnapshot {
  requireDone(driver, "CREATE_DELETE_SNAPSHOT");
  const name = required(request.name, "name");
  required(request.sourceVolumeId, "source_volume_id");
  const { snapshots, next } = driver.inventory.read();
  const said = fingerprint(CreateSnapshotRequestSchema, request);
  const existing = Object.values(snapshots).find((snapshot) => snapshot.name === name);
  if (existing !== undefined) return sameAs(driver, existing, said);

  const volume = volumeOf(driver, request.sourceVolumeId);
  const created = Math.floor(Date.now() / 1000);
  const snapshot = { id: `snap-${next}`, name, bytes: volume.bytes, volume: volume.id, request: said, created };
  makeWhole(snapshotDirectory(driver.state, snapshot.id), volumeDirectory(driver.state, volume.id));
  driver.inventory.change((draft) => {
    draft.next = next + 1;
    draft.snapshots[snapshot.id] = snapshot;
  });
  return snapshot;
}

function sameAs(driver: Csi, existing: StoredSnapshot, said: string): StoredSnapshot {
  if (existing.request === said) return existing;
  const { name } = existing;
  driver.inventory.change(({ misuse }) => {
    misuse.push({ method: "CreateSnapshot", of: name, says: `asked first for ${existing.request}, then for ${said}` });
  });
  throw new Refusal("ALREADY_EXISTS", `${name} is there already and was asked for in another way`);
}

function deleted(driver: Csi, { snapshotId }: DeleteSnapshotRequest) {
  requireDone(driver, "CREATE_DELETE_SNAPSHOT");
  const id = required(snapshotId, "snapshot_id");
  const snapshot = driver.inventory.read().snapshots[id];
  if (snapshot === undefined) return {};
  driver.inventory.change((draft) => {
    delete draft.snapshots[id];
    draft.deleted.push({ id, name: snapshot.name });
  });
  removeWhole(snapshotDirectory(driver.state, id));
  return {};
}

function found(driver: Csi, { snapshotId }: GetSnapshotRequest) {
  requireDone(driver, "GET_SNAPSHOT");
  const id = required(snapshotId, "snapshot_id");
  const snapshot = driver.inventory.read().snapshots[id];
  if (snapshot === undefined) throw new Refusal("NOT_FOUND", `there is no snapshot ${id}`);
  return { snapshot: describe(snapshot) };
}

function listed(driver: Csi, request: ListSnapshotsRequest) {
  requireDone(driver, "LIST_SNAPSHOTS");
  const wanted = Object.values(driver.inventory.read().snapshots).filter(
    ({ id, volume }) => [id, ""].includes(request.snapshotId) && [volume, ""].includes(request.sourceVolumeId),
  );
  const { page, nextToken } = pageOf(wanted, request);
  return { entries: page.map((snapshot) => ({ snapshot: describe(snapshot) })), nextToken };
}

function describe(snapshot: StoredSnapshot): MessageInitShape<typeof SnapshotSchema> {
  return {
    snapshotId: snapshot.id,
    sourceVolumeId: snapshot.volume,
    sizeBytes: BigInt(snapshot.bytes),
    creationTime: { seconds: BigInt(snapshot.created) },
    readyToUse: true,
  };
}
