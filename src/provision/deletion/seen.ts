import type { Look } from "../../runtime/reconciler.ts";
import { volumeFinalizer } from "../names.ts";
import { isVolumeOf } from "../ownership.ts";
import type { Volume, Watches } from "../watches.ts";

/** A volume of this driver, from the point of view of its end. */
export interface Ending {
  readonly volume: Volume;
  readonly policy: string;
  readonly phase: string;
  readonly isHeld: boolean;
  readonly isLeaving: boolean;
  /** The nodes that it is still attached to. */
  readonly attachedTo: readonly string[];
  /** The driver has deleted what it stood for. Lost at a restart: the driver is asked the same again. */
  readonly isDeleted: boolean;
}

/** The reply of the step that asks the driver. */
export interface Deleted {
  readonly deletedUid: string;
}

export function observeEnding(
  { volumes, attachments }: Watches,
  driver: string,
  name: string,
  { reply }: Look,
): Ending | undefined {
  const volume = volumes.get(name);
  if (volume === undefined || !isVolumeOf(volume, driver)) return undefined;
  return {
    ...stateOf(volume),
    attachedTo: (attachments?.by("volume", name) ?? []).map((attachment) => attachment.spec.nodeName),
    isDeleted: isDeleted(reply) && reply.deletedUid === volume.metadata.uid,
  };
}

function stateOf(volume: Volume): Omit<Ending, "attachedTo" | "isDeleted"> {
  const { metadata, spec, status } = volume;
  return {
    volume,
    policy: spec?.persistentVolumeReclaimPolicy ?? "Retain",
    phase: status?.phase ?? "Pending",
    isHeld: metadata.finalizers?.includes(volumeFinalizer) === true,
    isLeaving: metadata.deletionTimestamp !== undefined,
  };
}

/** Made or in use, and held until its claim is gone: most volumes are so most of the time, whatever else is written to them. */
export function isAtRest(volume: Volume): boolean {
  const { policy, phase, isHeld } = stateOf(volume);
  return policy === "Delete" && isHeld && phase !== "Released";
}

function isDeleted(reply: unknown): reply is Deleted {
  return typeof reply === "object" && reply !== null && "deletedUid" in reply;
}
