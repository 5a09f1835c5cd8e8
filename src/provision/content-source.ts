import type { PersistentVolume, PersistentVolumeClaim } from "../api/gen/core.ts";
import type { VolumeSnapshot, VolumeSnapshotContent } from "../api/gen/snapshot.ts";
import type { StorageClass } from "../api/gen/storage.ts";
import { allowVolumeModeChangeAnnotation, snapshotFinalizer } from "./names.ts";
import { type Refusal, refused } from "./order.ts";
import { bytesOf } from "./size.ts";
import type { DataSource } from "./source.ts";

/** What the driver is told to fill a volume with. */
export type ContentSource = { readonly snapshotId: string } | { readonly volumeId: string };
export type ContentVerdict = { readonly is: "source"; readonly source: ContentSource } | Refusal;

interface Wanted {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: Pick<StorageClass, "provisioner">;
  readonly source: Pick<DataSource, "name">;
}

export interface FoundClaim {
  readonly claim?: PersistentVolumeClaim | undefined;
  readonly volume?: PersistentVolume | undefined;
}

/** Whether a claim can be cloned into another one. */
export function cloneSourceOf(wanted: Wanted, found: FoundClaim): ContentVerdict {
  const { name } = wanted.source;
  if (found.claim === undefined)
    return refused(`the source claim ${name} is not there: create it, and wait until it is bound`);
  const fault = faultOfClaim(wanted, found.claim) ?? faultOfSize(wanted, found.claim);
  if (fault !== undefined) return refused(fault);
  const { csi } = found.volume?.spec ?? {};
  const stranger = strangenessOf(wanted, found.claim, found.volume);
  if (stranger !== undefined || csi === undefined)
    return refused(
      `the source claim ${name} is not bound, or its volume cannot be cloned by the driver of this class`,
      stranger,
    );
  const [own, other] = [modeOf(wanted.claim.spec), modeOf(found.volume?.spec)];
  if (own !== other)
    return refused(`a clone has the volume mode of its source: ${name} is ${other}, and the claim asks for ${own}`);
  return { is: "source", source: { volumeId: csi.volumeHandle } };
}

function faultOfClaim({ claim, source: { name } }: Wanted, { metadata, spec, status }: PersistentVolumeClaim) {
  if (status?.phase !== "Bound")
    return `the source claim ${name} must be Bound and is ${status?.phase ?? "new"}: wait until it is bound`;
  if (metadata.deletionTimestamp !== undefined) return `the source claim ${name} is being deleted: choose another one`;
  if (spec?.storageClassName === undefined) return `the source claim ${name} has no class, so it cannot be cloned`;
  if (claim.spec?.storageClassName === undefined) return "a claim without a class cannot be a clone: name one";
  return undefined;
}

/** The sizes that were asked for are compared: the source's volume may have come out bigger. */
function faultOfSize({ claim, source: { name } }: Wanted, { spec }: PersistentVolumeClaim) {
  const [asked, had] = [bytesAskedBy(claim.spec), bytesAskedBy(spec)];
  if (asked < had)
    return `a clone is at least as big as its source: ${name} has ${had} bytes, and the claim asks for ${asked}`;
  if (!spec?.volumeName) return `the source claim ${name} names no volume: wait until it is bound`;
  return undefined;
}

/** Why a volume is not one to clone. Volumes belong to the cluster, so it is for the log: a claim can name any of them. */
function strangenessOf({ storageClass }: Wanted, { metadata, spec }: PersistentVolumeClaim, volume?: PersistentVolume) {
  const name = `the volume ${spec?.volumeName} of the source claim ${metadata.namespace}/${metadata.name}`;
  if (volume === undefined) return `${name} is not there`;
  const { csi, claimRef = {} } = volume.spec ?? {};
  if (csi === undefined) return `${name} is not a CSI volume`;
  if (csi.driver !== storageClass.provisioner)
    return `${name} belongs to the driver ${csi.driver}, and the class to ${storageClass.provisioner}`;
  if (!isSame(claimRef, metadata)) return `${name} is not bound to it`;
  if (volume.status?.phase !== "Bound") return `${name} must be Bound and is ${volume.status?.phase ?? "new"}`;
  return undefined;
}

export interface FoundSnapshot {
  readonly snapshot?: VolumeSnapshot | undefined;
  readonly content?: VolumeSnapshotContent | undefined;
}

/** Whether a snapshot can be restored into a claim. */
export function snapshotSourceOf(
  wanted: Wanted & { readonly preventVolumeModeConversion: boolean },
  { snapshot, content }: FoundSnapshot,
): ContentVerdict {
  const { name } = wanted.source;
  if (snapshot === undefined)
    return refused(`the snapshot ${name} is not there: create it, and wait until it is ready`);
  if (isLeaving(snapshot)) return refused(`the snapshot ${name} is being deleted: choose another one`);
  const stranger = strangenessOfContent(wanted, snapshot, content);
  if (stranger !== undefined || content === undefined)
    return refused(
      `the snapshot ${name} is not bound to a snapshot of this class's driver: wait until it is ready`,
      stranger,
    );
  if (snapshot.status?.readyToUse !== true) return refused(`the snapshot ${name} is not ready: wait until it is`);
  const snapshotId = content.status?.snapshotHandle;
  if (!snapshotId) return refused(`the snapshot ${name} has no handle yet: wait until it is ready`);
  const fault = faultOfRestore(wanted, snapshot) ?? faultOfMode(wanted, content);
  return fault === undefined ? { is: "source", source: { snapshotId } } : refused(fault);
}

/** A restore that was begun is carried through, or what the driver made of it would belong to nobody. */
function isLeaving({ metadata }: VolumeSnapshot): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(snapshotFinalizer) !== true;
}

function strangenessOfContent({ storageClass }: Wanted, snapshot: VolumeSnapshot, content?: VolumeSnapshotContent) {
  const { metadata, status } = snapshot;
  const whole = `${metadata.namespace}/${metadata.name}`;
  const bound = status?.boundVolumeSnapshotContentName;
  if (!bound) return `the snapshot ${whole} names no content`;
  const name = `the content ${bound} of the snapshot ${whole}`;
  if (content === undefined) return `${name} is not there`;
  if (!isSame(content.spec.volumeSnapshotRef, metadata)) return `${name} is bound to another snapshot`;
  if (content.spec.driver !== storageClass.provisioner)
    return `${name} belongs to the driver ${content.spec.driver}, and the class to ${storageClass.provisioner}`;
  return undefined;
}

function faultOfRestore({ claim, source: { name } }: Wanted, { status }: VolumeSnapshot) {
  const [asked, needed] = [bytesAskedBy(claim.spec), bytesOf(status?.restoreSize) ?? 0n];
  return asked < needed
    ? `the claim asks for ${asked} bytes, which is less than the ${needed} bytes of the snapshot ${name}: ask for more`
    : undefined;
}

/** Read as Go reads a word that is to be true. */
const yes: readonly (string | undefined)[] = ["1", "t", "T", "true", "TRUE", "True"];

function faultOfMode(
  { claim, preventVolumeModeConversion }: Wanted & { readonly preventVolumeModeConversion: boolean },
  { metadata, spec: { sourceVolumeMode } }: VolumeSnapshotContent,
) {
  const asked = modeOf(claim.spec);
  if (!preventVolumeModeConversion || sourceVolumeMode === undefined || sourceVolumeMode === asked) return undefined;
  if (yes.includes(metadata.annotations?.[allowVolumeModeChangeAnnotation])) return undefined;
  return `the claim asks for volume mode ${asked}, and the snapshot was taken of ${sourceVolumeMode}: ask for ${sourceVolumeMode}, or have an admin set the annotation ${allowVolumeModeChangeAnnotation}: "true" on the VolumeSnapshotContent ${metadata.name}`;
}

interface Identity {
  readonly uid?: string;
  readonly namespace?: string;
  readonly name?: string;
}

function isSame(one: Identity, other: Identity): boolean {
  return one.uid === other.uid && one.namespace === other.namespace && one.name === other.name;
}

function bytesAskedBy(spec: PersistentVolumeClaim["spec"]): bigint {
  return bytesOf(spec?.resources?.requests?.["storage"]) ?? 0n;
}

function modeOf(spec: { readonly volumeMode?: "Block" | "Filesystem" } | undefined): "Block" | "Filesystem" {
  return spec?.volumeMode ?? "Filesystem";
}
