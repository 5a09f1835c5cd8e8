import { persistentVolumeClaims } from "../../api/gen/core.ts";
import { volumeSnapshots } from "../../api/gen/snapshot.ts";
import type { KubeObject, Stored } from "../../api/object.ts";
import type { Hand } from "../../runtime/hand.ts";
import { cloneFinalizer, snapshotFinalizer } from "../names.ts";
import type { Protected } from "../prepare.ts";
import type { Rights } from "../rights.ts";

/** Holds the source before the driver reads it. As it was seen a moment ago, or not at all: a vendor's role has no patch. */
export async function protectSource({ is, object }: Protected, hand: Hand, rights: Rights): Promise<void> {
  const finalizer = is === "claim" ? cloneFinalizer : snapshotFinalizer;
  const isHeld = object.metadata.finalizers?.includes(finalizer) === true;
  if (isHeld || (is === "snapshot" && !rights.protectSnapshots)) return;
  const finalizers = [...(object.metadata.finalizers ?? []), finalizer];
  if (is === "claim") await hand.update(persistentVolumeClaims, withFinalizers(object, finalizers));
  else await hand.update(volumeSnapshots, withFinalizers(object, finalizers));
}

export function withFinalizers<T extends KubeObject>(object: Stored<T>, finalizers: readonly string[]): Stored<T> {
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
